// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.webconsole.html;

import io.github.discoveryzk.webconsole.content.Part;

/** A part of a page that writes its own elements. */
interface Picture extends Part {
    void write(PageWriter page);
}
