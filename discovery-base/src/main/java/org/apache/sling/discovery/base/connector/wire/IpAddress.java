// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector.wire;

import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * An IP address. It is read from its text without a name service, which the JDK asks for every text that is not an address. An
 * IPv4 address that is mapped into IPv6 is an IPv4 address.
 */
final class IpAddress {
    private static final Pattern PART = Pattern.compile("0|[1-9]\\d{0,2}");
    private static final Pattern GROUP = Pattern.compile("[0-9a-fA-F]{1,4}");
    private static final int LONGEST = 45;

    private final byte[] bytes;

    private IpAddress(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Reads a text that has neither brackets nor a zone. */
    static Optional<IpAddress> parse(String text) {
        if (text.length() > LONGEST) {
            return Optional.empty();
        }
        byte[] bytes = text.indexOf(':') < 0 ? version4(text) : version6(text);
        return Optional.ofNullable(bytes).map(IpAddress::new).map(IpAddress::unmapped);
    }

    /** Reads the address of a peer as servlet containers write it: an IPv6 address may have brackets and a zone. */
    static Optional<IpAddress> ofPeer(String text) {
        boolean brackets = text.startsWith("[") && text.endsWith("]");
        String bare = brackets ? text.substring(1, text.length() - 1) : text;
        int zone = bare.indexOf('%');
        return parse(zone > 0 && bare.indexOf(':') >= 0 ? bare.substring(0, zone) : bare);
    }

    private static byte[] version4(String text) {
        String[] parts = text.split("\\.", -1);
        if (parts.length != 4) {
            return null;
        }
        byte[] bytes = new byte[4];
        for (int i = 0; i < 4; i++) {
            // A leading zero would be octal for some, decimal for others.
            if (!PART.matcher(parts[i]).matches() || Integer.parseInt(parts[i]) > 255) {
                return null;
            }
            bytes[i] = (byte) Integer.parseInt(parts[i]);
        }
        return bytes;
    }

    private static byte[] version6(String text) {
        int gap = text.indexOf("::");
        if (gap < 0) {
            byte[] all = groups(text);
            return all != null && all.length == 16 ? all : null;
        }
        byte[] before = text.lastIndexOf('.', gap) < 0 ? groups(text.substring(0, gap)) : null;
        byte[] after = groups(text.substring(gap + 2));
        if (before == null || after == null || before.length + after.length > 14) {
            return null;
        }
        byte[] bytes = Arrays.copyOf(before, 16);
        System.arraycopy(after, 0, bytes, 16 - after.length, after.length);
        return bytes;
    }

    /** Reads groups of hexadecimal digits, the last of which may be an IPv4 address. */
    private static byte[] groups(String text) {
        if (text.isEmpty()) {
            return new byte[0];
        }
        String[] groups = text.split(":", -1);
        byte[] bytes = new byte[groups.length * 2 + 2];
        int length = 0;
        for (int i = 0; i < groups.length; i++) {
            if (GROUP.matcher(groups[i]).matches()) {
                int value = Integer.parseInt(groups[i], 16);
                bytes[length++] = (byte) (value >> 8);
                bytes[length++] = (byte) value;
                continue;
            }
            byte[] version4 = i == groups.length - 1 ? version4(groups[i]) : null;
            if (version4 == null) {
                return null;
            }
            System.arraycopy(version4, 0, bytes, length, 4);
            length += 4;
        }
        return Arrays.copyOf(bytes, length);
    }

    private IpAddress unmapped() {
        return isMapped() ? new IpAddress(Arrays.copyOfRange(bytes, 12, 16)) : this;
    }

    private boolean isMapped() {
        if (bytes.length != 16 || bytes[10] != -1 || bytes[11] != -1) {
            return false;
        }
        for (int i = 0; i < 10; i++) {
            if (bytes[i] != 0) {
                return false;
            }
        }
        return true;
    }

    /** Returns the number of bits: 32 or 128. */
    int length() {
        return bytes.length * 8;
    }

    /** Says whether the first bits of both are the same. */
    boolean shares(int bits, IpAddress other) {
        if (other.bytes.length != bytes.length) {
            return false;
        }
        for (int i = 0; i < bits; i++) {
            int mask = 0x80 >> i % 8;
            if ((bytes[i / 8] & mask) != (other.bytes[i / 8] & mask)) {
                return false;
            }
        }
        return true;
    }

    /** Returns the number of leading one bits, or nothing if a one follows a zero. */
    Optional<Integer> prefixOfMask() {
        int ones = 0;
        while (ones < length() && bit(ones)) {
            ones++;
        }
        for (int i = ones; i < length(); i++) {
            if (bit(i)) {
                return Optional.empty();
            }
        }
        return Optional.of(ones);
    }

    private boolean bit(int index) {
        return (bytes[index / 8] & 0x80 >> index % 8) != 0;
    }

    /** Returns the four numbers of an IPv4 address, or the eight groups of an IPv6 address without leading zeros. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        if (bytes.length == 4) {
            for (byte each : bytes) {
                text.append(text.isEmpty() ? "" : ".").append(each & 0xFF);
            }
        } else {
            for (int i = 0; i < bytes.length; i += 2) {
                text.append(i == 0 ? "" : ":")
                        .append(Integer.toHexString((bytes[i] & 0xFF) << 8 | bytes[i + 1] & 0xFF));
            }
        }
        return text.toString();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof IpAddress address && Arrays.equals(bytes, address.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }
}
