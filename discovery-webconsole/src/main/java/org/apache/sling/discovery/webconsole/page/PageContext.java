// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.page;

import java.util.Optional;

/**
 * What a page depends on beside the report.
 *
 * @param token the CSRF token of the user; empty when no action is possible
 * @param message the result of the last action; empty when there is none
 */
public record PageContext(Optional<String> token, Optional<String> message) {

    /** The context of a page that offers no action. */
    static final PageContext READ_ONLY = new PageContext(Optional.empty(), Optional.empty());
}
