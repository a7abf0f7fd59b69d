// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.tree;

import io.github.discoveryzk.model.Acknowledgement;
import io.github.discoveryzk.model.ForeignText;
import io.github.discoveryzk.model.FormatRange;
import io.github.discoveryzk.model.LeaveRecord;
import io.github.discoveryzk.model.Suspicion;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * The names of nodes.
 *
 * <ul>
 *   <li>Members: {@code m-<16 hex>-<oldest format>-<newest format>-<sequence>}, with the formats of the member for instances that cannot
 *       read its record.
 *   <li>Acknowledgements: {@code <view>.<member>}, and leave records: {@code <kind>.<member>.<member>} with {@code .<milliseconds>} where that is known. The name has the whole content,
 *       so that no instance needs to read the node.
 *   <li>Suspicions: {@code <member>.<accuser>}.
 *   <li>History entries: the number of the view, padded so that names sort as numbers do.
 *   <li>Announcements: {@code a-<16 hex>-<32 hex>}, the session that owns it and a digest of the id of the announcement's owner. So a
 *       session has one node for each owner, and recognizes its nodes without a read.
 *   <li>Shared data: what applications chose, escaped: scopes and keys as they are, {@code v.<name>} for values, {@code m.<name>} for maps.
 * </ul>
 */
public final class Names {
    private static final Pattern MILLIS = Pattern.compile("[1-9]\\d{0,14}");
    private static final Pattern MEMBER = Pattern.compile("m-[0-9a-f]{16}-([1-9][0-9]{0,2})-([1-9][0-9]{0,2})-[-0-9]+");
    private static final Pattern ANNOUNCEMENT = Pattern.compile("a-[0-9a-f]{16}-[0-9a-f]{32}");
    static final String VALUE_PREFIX = "v.";
    static final String MAP_PREFIX = "m.";
    private static final Pattern ESCAPED = Pattern.compile("%([0-9a-f]{4})");
    private static final int HEXADECIMAL = 16;
    private static final int UNIQUE_PART = "m-0123456789abcdef-".length();
    private static final int ENTRY_DIGITS = 19;
    private static final int DIGEST_BYTES = 16;
    private static final int SHOWN_CHARACTERS = 80;

    private Names() {}

    /** Returns a new name of a member without the sequence number that the server appends. */
    static String memberPrefix(long random, FormatRange formats) {
        return "m-" + HexFormat.of().toHexDigits(random) + "-" + formats.oldest() + "-" + formats.newest() + "-";
    }

    /** Returns the part of a member's name that the creator of the node chooses and that no other node has. */
    public static String uniquePart(String member) {
        return member.substring(0, Math.min(UNIQUE_PART, member.length()));
    }

    public static boolean isMember(String name) {
        return formats(name).isPresent();
    }

    /** Returns the formats that a member knows; empty when that is not the name of a member. */
    public static Optional<FormatRange> formats(String name) {
        Matcher matcher = MEMBER.matcher(name);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        int oldest = Integer.parseInt(matcher.group(1));
        int newest = Integer.parseInt(matcher.group(2));
        return oldest <= newest ? Optional.of(new FormatRange(oldest, newest)) : Optional.empty();
    }

    public static String acknowledgement(Acknowledgement ack) {
        return ack.number() + "." + ack.node();
    }

    public static boolean isAcknowledgementOf(String name, String member) {
        return name.endsWith("." + member);
    }

    /** Returns empty when that is not the name of an acknowledgement. */
    public static Optional<Acknowledgement> parseAcknowledgement(String name) {
        int dot = name.indexOf('.');
        if (dot < 1 || !isMember(name.substring(dot + 1))) {
            return Optional.empty();
        }
        try {
            return Optional.of(new Acknowledgement(name.substring(dot + 1), Long.parseLong(name.substring(0, dot))));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    public static String leaveRecord(LeaveRecord leaveRecord) {
        return word(leaveRecord.kind()) + "." + leaveRecord.node() + "." + leaveRecord.by()
                + (leaveRecord.afterMillis() > 0 ? "." + leaveRecord.afterMillis() : "");
    }

    /** Returns empty when that is not the name of a leave record, or has a kind that only a newer version knows. */
    public static Optional<LeaveRecord> parseLeaveRecord(String name) {
        String[] parts = partsOfLeaveRecord(name);
        return kind(parts[0])
                .map(kind ->
                        new LeaveRecord(parts[1], kind, parts[2], parts.length == 3 ? 0 : Long.parseLong(parts[3])));
    }

    /** Returns the member of a leave record whose kind only a newer version knows; empty for all other names. */
    public static Optional<String> nodeOfUnknownLeaveRecord(String name) {
        String[] parts = partsOfLeaveRecord(name);
        return parts[0].isEmpty() || kind(parts[0]).isPresent() ? Optional.empty() : Optional.of(parts[1]);
    }

    /** Returns the word for a kind, the two members and the milliseconds if there are any; no word when the name does not have that shape. */
    private static String[] partsOfLeaveRecord(String name) {
        String[] parts = name.split("\\.", -1);
        return (parts.length == 3
                                || parts.length == 4 && MILLIS.matcher(parts[3]).matches())
                        && isMember(parts[1])
                        && isMember(parts[2])
                ? parts
                : new String[] {""};
    }

    public static String suspicion(Suspicion suspicion) {
        return suspicion.node() + "." + suspicion.by();
    }

    /** Returns the suspicion that a name states; empty for any other name. */
    public static Optional<Suspicion> parseSuspicion(String name) {
        String[] parts = name.split("\\.", -1);
        return parts.length == 2 && isMember(parts[0]) && isMember(parts[1])
                ? Optional.of(new Suspicion(parts[0], parts[1]))
                : Optional.empty();
    }

    /** Returns the word for a kind of departure; earlier versions have another name for one of them. */
    static String word(LeaveRecord.Kind kind) {
        return kind == LeaveRecord.Kind.STEPPED_DOWN
                ? "stood_down"
                : kind.name().toLowerCase(Locale.ROOT);
    }

    /** Returns the kind of departure for a word; empty when this version does not know it. */
    static Optional<LeaveRecord.Kind> kind(String word) {
        return Arrays.stream(LeaveRecord.Kind.values())
                .filter(one -> word(one).equals(word))
                .findFirst();
    }

    public static String entry(long number) {
        // A formatter would load many classes during the first change.
        String digits = Long.toString(number);
        return "0".repeat(ENTRY_DIGITS - digits.length()) + digits;
    }

    public static boolean isEntry(String name) {
        return name.matches("[0-9]{19}") && name.compareTo(entry(Long.MAX_VALUE)) <= 0;
    }

    /** Returns the number of the view of a history entry; the name must be valid. */
    public static long number(String entry) {
        return Long.parseLong(entry);
    }

    public static String announcement(long session, String ownerId) {
        return announcementPrefix(session) + digest(ownerId);
    }

    /** Returns the beginning of the names of all announcements of a session. */
    public static String announcementPrefix(long session) {
        return "a-" + HexFormat.of().toHexDigits(session) + "-";
    }

    public static boolean isAnnouncement(String name) {
        return ANNOUNCEMENT.matcher(name).matches();
    }

    /** Returns whether that is the name of an announcement that this session owns. */
    public static boolean isAnnouncementOf(String name, long session) {
        return session != 0 && isAnnouncement(name) && name.startsWith(announcementPrefix(session));
    }

    static boolean isAnnouncementOfOwner(String name, String ownerId) {
        return isAnnouncement(name) && name.endsWith(digest(ownerId));
    }

    private static String digest(String ownerId) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(ownerId.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, DIGEST_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /**
     * Returns a text as the name of a node: visible ASCII characters stay, all others and {@code /} and {@code %} become a percent sign with four
     * hexadecimal digits, and so does the first dot of a name of one or two dots, which ZooKeeper does not accept.
     */
    public static String escaped(String text) {
        StringBuilder name = new StringBuilder();
        boolean dots = text.equals(".") || text.equals("..");
        for (int i = 0; i < text.length(); i++) {
            char each = text.charAt(i);
            if (each > ' ' && each <= '~' && each != '/' && each != '%' && !(dots && name.isEmpty())) {
                name.append(each);
            } else {
                name.append('%').append(HexFormat.of().toHexDigits(each));
            }
        }
        return name.toString();
    }

    /** Returns the text of which a name is the escaped form; empty for the name of a foreign node. */
    public static Optional<String> unescaped(String name) {
        String text = name.indexOf('%') < 0
                ? name
                : ESCAPED.matcher(name)
                        .replaceAll(found -> Matcher.quoteReplacement(
                                String.valueOf((char) Integer.parseInt(found.group(1), HEXADECIMAL))));
        return Optional.of(text).filter(any -> !any.isEmpty() && escaped(any).equals(name));
    }

    /** Says whether a path below the folder of shared data has parts with these prefixes. */
    static boolean isData(String path, String... prefixes) {
        String[] parts = path.split("/", -1);
        return parts.length == prefixes.length
                && IntStream.range(0, parts.length)
                        .allMatch(i -> parts[i].startsWith(prefixes[i])
                                && unescaped(parts[i].substring(prefixes[i].length()))
                                        .isPresent());
    }

    /** Returns how sentences name an owner: peers choose their ids, so control characters are replaced, and long ids shortened. */
    public static String label(String ownerId) {
        return shown(ownerId, SHOWN_CHARACTERS);
    }

    /** Returns the beginning of a foreign text for a sentence, without characters that hide or reorder others. */
    static String shown(String text, int characters) {
        return ForeignText.line(text.length() > characters ? text.substring(0, characters) + "\u2026" : text);
    }
}
