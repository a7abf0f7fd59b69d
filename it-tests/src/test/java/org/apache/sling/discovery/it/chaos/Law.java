// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.chaos;

import java.util.List;

/** Something that must hold in every run. */
interface Law {

    /** Returns its name in the table of laws. */
    String name();

    /** Returns the violations, a sentence with evidence each. */
    List<String> objections(Recording recording);
}
