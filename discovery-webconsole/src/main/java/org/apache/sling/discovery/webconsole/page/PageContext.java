// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.page;

import java.util.Optional;

/**
 * What a page needs to know of who asks for it.
 *
 * @param token proves that a form was made for this user; empty when there is nothing to act with
 * @param notice what an action has led to
 */
public record PageContext(Optional<String> token, Optional<String> notice) {

    /** Somebody who can only look. */
    static final PageContext SPECTATOR = new PageContext(Optional.empty(), Optional.empty());
}
