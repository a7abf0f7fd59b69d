// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.exchange;

/** What an adapter has registered for a console. */
@FunctionalInterface
public interface Registration {

    /** Unregisters it. */
    void close();
}
