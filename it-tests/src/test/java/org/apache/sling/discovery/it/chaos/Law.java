// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.chaos;

import java.util.List;

/** Something that must hold in every run. */
interface Law {

    /** How it is called in the table of laws. */
    String name();

    /** Returns what speaks against it, a sentence with evidence each. */
    List<String> objections(Recording recording);
}
