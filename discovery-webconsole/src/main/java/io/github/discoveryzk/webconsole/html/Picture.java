// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.html;

import org.apache.sling.discovery.webconsole.content.Part;

/** A part of a page that writes its own elements. */
interface Picture extends Part {
    void write(PageWriter page);
}
