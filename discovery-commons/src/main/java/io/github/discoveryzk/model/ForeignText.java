// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.model;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The rules for texts that other instances, peers and clients of the store write: what is an id, and what is an address, and how a text
 * is shown in a line. Reading an address asks no name service. No argument may be null.
 */
public final class ForeignText {

    /** An id may become the name of a node or of a file, where dots alone have a meaning. */
    private static final Pattern ID = Pattern.compile("(?!\\.+$)[A-Za-z0-9._-]{1,200}");

    private static final String NUMBER = "(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";

    /** For each text of these forms the JDK asks no name service. A leading zero would be octal for some, decimal for others. */
    private static final Pattern ADDRESS =
            Pattern.compile(NUMBER + "(\\." + NUMBER + "){3}|(?=[0-9A-Fa-f.]*:)[0-9A-Fa-f:][0-9A-Fa-f:.]{1,44}");

    /** A zone has a meaning on the host of its writer only. */
    private static final Pattern ENDPOINT = Pattern.compile("\\[?([^\\[\\]%]+)(%[\\w.-]{1,40})?]?:([1-9]\\d{0,4})");

    /** Control and format characters but the joiners that some scripts need, separators of lines, and halves of characters. */
    private static final Pattern HIDDEN = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Cs}&&[^\u200C\u200D]]");

    private ForeignText() {}

    /** Says whether a text can be the id of an instance or the name of its node: 1 to 200 letters, digits, dots, underscores or hyphens. */
    public static boolean isId(String text) {
        return ID.matcher(text).matches();
    }

    /** Reads an IP address without brackets and zone; empty for any other text. An IPv4 address that is mapped into IPv6 is an IPv4 address. */
    public static Optional<InetAddress> address(String text) {
        try {
            return ADDRESS.matcher(text).matches() ? Optional.of(InetAddress.getByName(text)) : Optional.empty();
        } catch (UnknownHostException e) {
            return Optional.empty();
        }
    }

    /** Reads the IP address of one host, a colon and a port; empty for any other text, such as one with a name. */
    public static Optional<InetSocketAddress> endpoint(String text) {
        Matcher parts = ENDPOINT.matcher(text);
        if (!parts.matches() || Integer.parseInt(parts.group(3)) > 0xffff) {
            return Optional.empty();
        }
        return address(parts.group(1))
                .filter(address -> !address.isAnyLocalAddress())
                .map(address -> new InetSocketAddress(address, Integer.parseInt(parts.group(3))));
    }

    /** Returns a text as a part of a line, with a question mark for each character that hides, ends or reorders others. */
    public static String line(String text) {
        return HIDDEN.matcher(text).replaceAll("?");
    }
}
