// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.tree;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.sling.discovery.commons.model.Acknowledgement;
import org.apache.sling.discovery.commons.model.DepartureNote;
import org.apache.sling.discovery.commons.model.EstablishedView;
import org.apache.sling.discovery.commons.model.FormatRange;
import org.apache.sling.discovery.commons.model.HistoryEntry;
import org.apache.sling.discovery.commons.model.Incarnation;
import org.apache.sling.discovery.commons.model.MemberRecord;
import org.apache.sling.discovery.commons.model.ProcessInfo;
import org.apache.sling.discovery.commons.model.SharedAnnouncement;
import org.apache.sling.discovery.commons.model.ViewDifference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads the classes that records need while the connection is being established, by writing and reading a small one of each kind. The
 * first change after the start is then not slower for it.
 */
public final class CodecWarmUp {
    private static final Logger LOG = LoggerFactory.getLogger(CodecWarmUp.class);

    private CodecWarmUp() {}

    /** Writes and reads the records; never throws. Returns whether all were read as they were written. */
    public static boolean run(Codecs codecs) {
        try {
            MemberRecord member = MemberRecord.of(
                            "id", new ProcessInfo("run", "host", 1, "/", 1), Map.of("name", "value"))
                    .withSessionTimeout(1);
            EstablishedView view =
                    new EstablishedView(2, 1, 2, 1, 1, List.of(new Incarnation("node", "id")), Set.of(), "cause", "id");
            HistoryEntry entry =
                    new HistoryEntry(ViewDifference.between(Optional.empty(), view), List.of(), List.of(), 1, 1);
            int format = codecs.formats().newest();
            boolean members =
                    codecs.members().read(codecs.members().write(member)).equals(member);
            boolean views =
                    codecs.views().readView(codecs.views().write(view, format)).equals(view);
            boolean entries = codecs.views()
                    .readEntry(codecs.views().write(entry, format))
                    .equals(entry);
            SharedAnnouncement announcement = new SharedAnnouncement("id", true, "owner", "content");
            String name = AnnouncementName.of(1, announcement.ownerId());
            boolean announcements = codecs.announcements()
                    .read(name, codecs.announcements().write(announcement), true)
                    .equals(announcement);
            return members && views && entries && announcements && parseNames();
        } catch (TooLarge | Unreadable | RuntimeException | LinkageError e) {
            LOG.debug("The codecs could not be prepared; they are loaded when they are needed", e);
            return false;
        }
    }

    private static boolean parseNames() {
        String node = MemberName.prefix(1, FormatRange.CURRENT) + "0000000001";
        Acknowledgement acknowledgement = new Acknowledgement(node, 1);
        DepartureNote note = DepartureNote.own(node, DepartureNote.Kind.STOPPED);
        return AcknowledgementName.parse(AcknowledgementName.of(acknowledgement))
                        .filter(acknowledgement::equals)
                        .isPresent()
                && DepartureNoteName.parse(DepartureNoteName.of(note))
                        .filter(note::equals)
                        .isPresent()
                && HistoryEntryName.isValid(HistoryEntryName.of(1));
    }
}
