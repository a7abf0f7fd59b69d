// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.containers;

import java.net.URI;
import java.util.List;

/** A container with a web console and our bundles, as its operator reaches it. */
interface TestedContainer extends AutoCloseable {

    /** The name of its only console user, and the password. */
    String USER = "admin";

    /** Returns the address of the console, without a slash at the end. */
    URI console();

    /** Returns the name of the cluster that it is a member of. */
    String cluster();

    /** Returns its instance id. */
    String id();

    /** Returns the lines of its log. */
    List<String> log();

    @Override
    void close();
}
