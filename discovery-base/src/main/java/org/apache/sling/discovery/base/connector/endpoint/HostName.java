// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector.endpoint;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Pattern;

/** The names of hosts. */
final class HostName {
    private static final Pattern ADDRESS =
            Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}|\\[?[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*(%[^\\]]*)?]?");

    private HostName() {}

    /**
     * Returns the name of a host; asks a name service, which may take time. The owner of an address decides its name, so it counts only
     * if it leads back to the address, which the JDK checks.
     *
     * @param address an IP address as text
     * @return the name, or the address if it has none
     */
    static String of(String address) {
        try {
            return ADDRESS.matcher(address).matches()
                    ? InetAddress.getByName(address).getCanonicalHostName()
                    : address;
        } catch (UnknownHostException e) {
            return address;
        }
    }
}
