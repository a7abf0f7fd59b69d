// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.tree;

import org.apache.sling.discovery.commons.model.FormatRange;

/**
 * The codecs of this instance.
 *
 * @param payload all records
 * @param members the records of members
 * @param views views and history entries
 * @param announcements announcements that members share
 */
public record Codecs(Payload payload, MemberCodec members, ViewCodec views, AnnouncementCodec announcements) {
    public static final Codecs CURRENT = of(Formats.CURRENT);

    public static Codecs of(Formats formats) {
        Payload payload = new Payload(formats);
        return new Codecs(payload, new MemberCodec(payload), new ViewCodec(payload), new AnnouncementCodec());
    }

    public FormatRange formats() {
        return payload.formats();
    }
}
