// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector.endpoint;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The names of hosts. */
public final class HostName {
    private static final Pattern ADDRESS =
            Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}|\\[?[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*(%[^\\]]*)?]?");

    private HostName() {}

    /**
     * Returns the name of a host; asks a name service, which may take time. The owner of an address decides its name, so it counts only
     * if it leads back to the address.
     *
     * @param address an IP address as text
     * @return the name, or the address if it has none
     */
    public static String of(String address) {
        if (!ADDRESS.matcher(address).matches()) {
            return address;
        }
        try {
            return InetAddress.getByName(address).getCanonicalHostName();
        } catch (UnknownHostException e) {
            return address;
        }
    }

    /** Says whether a host name has a network address. */
    static boolean leadsTo(String name, String address) {
        try {
            InetAddress sender = InetAddress.getByName(address);
            return Stream.of(InetAddress.getAllByName(name)).anyMatch(sender::equals);
        } catch (UnknownHostException e) {
            return false;
        }
    }
}
