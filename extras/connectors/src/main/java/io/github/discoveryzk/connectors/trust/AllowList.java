// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.connectors.trust;

import io.github.discoveryzk.connectors.wire.Excerpt;
import io.github.discoveryzk.model.ForeignText;
import java.math.BigInteger;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The peers that may connect. An entry is one of these:
 *
 * <ul>
 *   <li>an IP address, or {@code localhost} for {@code 127.0.0.1} and {@code ::1};
 *   <li>a network such as {@code 10.1.2.0/24} or {@code fd00::/8}. Its first and last address belong to it, {@code /32} and
 *       {@code /128} are one address;
 *   <li>an IPv4 network with a mask, such as {@code 10.1.2.0 255.255.255.0};
 *   <li>a host name in upper or lower case;
 *   <li>a pattern in which {@code *} is any text and {@code ?} any character, such as {@code *.example.com} or {@code 10.1.2.?}.
 * </ul>
 *
 * <p>An entry of digits or with a colon is about addresses and is never compared with a host name: the owner of an address also
 * decides its name, and might name it {@code 127.0.0.1}. Another entry that is not one of these allows nothing.
 */
public final class AllowList {
    /** An address, and how many bits or which mask. */
    private static final Pattern NETWORK = Pattern.compile("(.+?)(?:/|\\s+)(.+)");

    private static final Pattern BITS = Pattern.compile("\\d{1,3}");
    private static final Pattern ABOUT_ADDRESSES = Pattern.compile("[0-9.*?]+|.*:.*");
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._*?-]{1,255}");
    private static final int IPV4_BITS = 32;
    private static final int MAPPED_BITS = 96;

    private final List<Predicate<InetAddress>> addresses = new ArrayList<>();
    private final List<Predicate<String>> names = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();

    private final List<String> entries;

    private AllowList(List<String> entries) {
        this.entries = List.copyOf(entries);
    }

    /** Reads entries, and ignores empty ones and those that have a problem. */
    public static AllowList of(List<String> entries) {
        AllowList list = new AllowList(entries.stream()
                .map(String::strip)
                .filter(entry -> !entry.isEmpty())
                .toList());
        for (String entry : list.entries) {
            try {
                list.add(entry);
            } catch (IllegalArgumentException e) {
                list.problems.add("The entry " + Excerpt.quoted(entry) + " of the allow list is ignored: "
                        + e.getMessage() + ".");
            }
        }
        return list;
    }

    /** Returns the problems of the entries that are ignored, one sentence each. */
    public List<String> problems() {
        return List.copyOf(problems);
    }

    /**
     * Says whether a peer may connect.
     *
     * @param address its address; it may have brackets and a zone. A text that is not an address is not allowed
     * @param hostName asked for its name only if entries are about names and none about addresses allows it. The name comes from
     *     outside: the caller should be sure that it leads back to the address
     */
    public <E extends Exception> boolean allows(String address, Name<E> hostName) throws E {
        Optional<InetAddress> peer = ofPeer(address);
        if (peer.isEmpty()) {
            return false;
        }
        if (addresses.stream().anyMatch(entry -> entry.test(peer.get()))) {
            return true;
        }
        String name = names.isEmpty() ? "" : lower(hostName.of(peer.get()));
        return names.stream().anyMatch(entry -> entry.test(name));
    }

    /** Finds the name of the host with an address; an address or an empty text stands for none. */
    @FunctionalInterface
    public interface Name<E extends Exception> {
        String of(InetAddress address) throws E;
    }

    /** Says whether both were made of the same entries in the same order. */
    @Override
    public boolean equals(Object other) {
        return other instanceof AllowList list && entries.equals(list.entries);
    }

    @Override
    public int hashCode() {
        return entries.hashCode();
    }

    private void add(String entry) {
        boolean pattern = entry.indexOf('*') >= 0 || entry.indexOf('?') >= 0;
        Matcher network = NETWORK.matcher(entry);
        if (network.matches()) {
            addresses.add(network(network.group(1).strip(), network.group(2)));
        } else if (entry.equalsIgnoreCase("localhost")) {
            addresses.add(peer -> List.of("127.0.0.1", "0:0:0:0:0:0:0:1").contains(peer.getHostAddress()));
        } else if (ABOUT_ADDRESSES.matcher(entry).matches()) {
            Predicate<String> text = pattern(entry);
            addresses.add(pattern ? peer -> text.test(peer.getHostAddress()) : required(entry)::equals);
        } else if (NAME.matcher(entry).matches()) {
            names.add(pattern(entry));
        } else {
            throw new IllegalArgumentException("a host name has letters, digits, dots and hyphens");
        }
    }

    private static Predicate<InetAddress> network(String address, String size) {
        byte[] network = required(address).getAddress();
        int length = network.length * Byte.SIZE;
        boolean mapped = length == IPV4_BITS && address.indexOf(':') >= 0;
        int bits = BITS.matcher(size).matches()
                ? Integer.parseInt(size) - (mapped ? MAPPED_BITS : 0)
                : length == IPV4_BITS ? bitsOfMask(required(size).getAddress()) : -1;
        if (bits < 0 || bits > length) {
            throw new IllegalArgumentException("it is not a network such as 10.1.2.0/24 or 10.1.2.0 255.255.255.0");
        }
        return peer -> shares(bits, network, peer.getAddress());
    }

    /** Returns how many bits of an IPv4 address a mask covers; -1 if it is not one. */
    private static int bitsOfMask(byte[] bytes) {
        int mask = ByteBuffer.wrap(bytes).getInt();
        int bits = Integer.bitCount(mask);
        return bytes.length * Byte.SIZE == IPV4_BITS && (bits == 0 || mask == -1 << IPV4_BITS - bits) ? bits : -1;
    }

    private static InetAddress required(String address) {
        return ForeignText.address(address)
                .orElseThrow(() -> new IllegalArgumentException(Excerpt.quoted(address) + " is not an IP address"));
    }

    /** Reads the address of a peer as servlet containers write it: an IPv6 address may have brackets and a zone. */
    private static Optional<InetAddress> ofPeer(String text) {
        boolean brackets = text.startsWith("[") && text.endsWith("]");
        String bare = brackets ? text.substring(1, text.length() - 1) : text;
        int zone = bare.indexOf('%');
        return ForeignText.address(zone > 0 && bare.indexOf(':') >= 0 ? bare.substring(0, zone) : bare);
    }

    /** Says whether the first bits of two addresses of one kind are the same. */
    private static boolean shares(int bits, byte[] network, byte[] peer) {
        int rest = network.length * Byte.SIZE - bits;
        return network.length == peer.length
                && new BigInteger(1, network).shiftRight(rest).equals(new BigInteger(1, peer).shiftRight(rest));
    }

    private static String lower(String text) {
        return text.toLowerCase(Locale.ROOT);
    }

    /** Returns what matches a whole text. What stands between two stars is found once and not again, so that the time is bounded. */
    static Predicate<String> pattern(String entry) {
        List<String> parts = Stream.of(lower(entry).split("\\*", -1))
                .map(part -> Pattern.quote(part).replace("?", "\\E.\\Q"))
                .toList();
        int last = parts.size() - 1;
        String middle = parts.stream()
                .limit(last)
                .skip(1)
                .map(part -> "(?>.*?" + part + ")")
                .collect(Collectors.joining());
        String regex = parts.get(0) + middle + (last > 0 ? ".*" + parts.get(last) : "");
        return Pattern.compile(regex, Pattern.DOTALL).asMatchPredicate();
    }
}
