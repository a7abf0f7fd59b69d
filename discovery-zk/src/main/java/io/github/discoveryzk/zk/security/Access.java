// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.security;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.zookeeper.ZKUtil;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;

/**
 * The access rights to each node that this instance creates. All instances need all rights to all nodes, because they write and delete
 * the nodes of each other. Entries have the notation of ZooKeeper's shell: scheme, id and permissions, separated by colons; an id may
 * contain colons and commas.
 *
 * @param entries the ACL of a new node; ids of the scheme {@code auth} stand for the identities of the session
 * @param refusal why no node may be created, as a sentence; empty when the configuration is usable
 */
public record Access(List<ACL> entries, Optional<String> refusal) {
    /** Every client has all rights. */
    public static final Access OPEN = new Access(Ids.OPEN_ACL_UNSAFE, Optional.empty());

    private static final ACL CREATOR = new ACL(Perms.ALL, Ids.AUTH_IDS);
    private static final String PERMISSIONS = "rwcda";
    private static final Pattern ENTRY = Pattern.compile("(world:anyone|auth:|digest:[^:]+:[A-Za-z0-9+/]{27,}={0,2}"
            + "|(?!(world|auth|digest):)[^:]+:.+):[" + PERMISSIONS + "]+");

    /** The schemes of identities by which a client is not authenticated. */
    private static final Set<String> UNAUTHENTICATED = Set.of("world", "ip", "super");

    public Access {
        entries = List.copyOf(entries);
    }

    /**
     * Returns configured rights.
     *
     * @param acl {@code open}, {@code creator}, or entries
     * @param readers which others may read: {@code world}, or entries with the permission {@code r}
     * @throws IllegalArgumentException with the reason, which does not contain the id: that may be a password by mistake
     */
    public static Access of(List<String> acl, List<String> readers) {
        List<ACL> others = new ArrayList<>();
        for (String reader : readers) {
            others.add(entry(List.of("world", "anyone").contains(reader) ? "world:anyone:r" : reader, ":r"));
        }
        if (acl.equals(List.of("open"))) {
            return OPEN;
        }
        if (acl.isEmpty()) {
            throw new IllegalArgumentException("acl has no entry");
        }
        List<ACL> all = new ArrayList<>();
        for (String owner : acl) {
            all.add(owner.equals("creator") ? CREATOR : entry(owner, ""));
        }
        all.addAll(others);
        return new Access(all, Optional.empty());
    }

    private static ACL entry(String text, String end) {
        if (!ENTRY.matcher(text).matches() || !text.endsWith(end)) {
            throw new IllegalArgumentException(
                    "'" + text.replaceFirst(":.*", ":…") + "' is neither a keyword nor an entry such as sasl:name"
                            + (end.isEmpty() ? ":cdrwa or digest:user:hash:cdrwa" : end));
        }
        int id = text.indexOf(':') + 1;
        int permissions = text.lastIndexOf(':') + 1;
        int rights = text.substring(permissions)
                .chars()
                .map(each -> 1 << PERMISSIONS.indexOf(each))
                .reduce(0, (all, each) -> all | each);
        return new ACL(rights, new Id(text.substring(0, id - 1), text.substring(id, permissions - 1)));
    }

    /** Returns the rights for display. */
    public String words() {
        return equals(OPEN) ? "open" : words(entries);
    }

    /** Returns an ACL for display. Hashes of passwords are masked. */
    public static String words(Collection<ACL> acl) {
        return acl.stream()
                .map(one -> one.equals(CREATOR)
                        ? "creator"
                        : words(one.getId()) + ":" + ZKUtil.getPermString(one.getPerms()))
                .collect(Collectors.joining(", "));
    }

    /** Returns an identity for display. */
    public static String words(Id id) {
        String text = id.getScheme() + ":" + id.getId();
        return id.getScheme().equals("digest") ? text.replaceFirst("(:[^:]*):.*", "$1:…") : text;
    }

    /** Returns whether a session with these identities would create a node with this ACL. */
    public boolean matches(List<ACL> found, List<Id> identities) {
        Set<ACL> expected = new HashSet<>();
        for (ACL entry : entries) {
            if (entry.getId().getScheme().equals("auth")) {
                identities.stream()
                        .filter(own -> !UNAUTHENTICATED.contains(own.getScheme()))
                        .forEach(own -> expected.add(new ACL(entry.getPerms(), own)));
            } else {
                expected.add(entry);
            }
        }
        return expected.equals(Set.copyOf(found));
    }

    /** Returns whether a session with these identities has all rights to a node with this ACL. */
    public static boolean permitsAll(List<ACL> found, List<Id> identities) {
        return found.stream()
                .filter(one -> one.getPerms() == Perms.ALL)
                .anyMatch(one -> one.getId().equals(Ids.ANYONE_ID_UNSAFE) || identities.contains(one.getId()));
    }
}
