// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.environment;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.regex.Pattern;

/** An IP address as a text. Reading it asks no name service. */
public final class AddressLiteral {

    private static final String NUMBER = "(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";

    /** For each text of these forms the JDK asks no name service. A leading zero would be octal for some, decimal for others. */
    private static final Pattern LITERAL =
            Pattern.compile(NUMBER + "(\\." + NUMBER + "){3}|(?=[0-9A-Fa-f.]*:)[0-9A-Fa-f:][0-9A-Fa-f:.]{1,44}");

    private AddressLiteral() {}

    /** Reads an address without brackets and zone; empty for any other text. An IPv4 address that is mapped into IPv6 is an IPv4 address. */
    public static Optional<InetAddress> parse(String text) {
        try {
            return LITERAL.matcher(text).matches() ? Optional.of(InetAddress.getByName(text)) : Optional.empty();
        } catch (UnknownHostException e) {
            return Optional.empty();
        }
    }
}
