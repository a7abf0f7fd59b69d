// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.client;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.zookeeper.ZKUtil;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;

/**
 * The access rights of each node that this instance creates. All instances need all rights to all nodes, because they write and delete
 * the nodes of each other. The notation of entries is that of ZooKeeper's shell: scheme, id and permissions, separated by colons; an id
 * may contain colons and commas.
 *
 * @param entries the ACL of a new node; ids of the scheme {@code auth} stand for the identities of the session
 * @param refusal why no node may be created, as a sentence; empty when the configuration is usable
 */
public record Access(List<ACL> entries, Optional<String> refusal) {
    /** Every client has all rights. */
    public static final Access OPEN = new Access(List.of(new ACL(Perms.ALL, Ids.ANYONE_ID_UNSAFE)), Optional.empty());

    private static final ACL CREATOR = new ACL(Perms.ALL, Ids.AUTH_IDS);
    private static final String PERMISSIONS = "rwcda";
    private static final Pattern DIGEST = Pattern.compile("[^:]+:[A-Za-z0-9+/]{27,}={0,2}");

    /** The identities by which a client is not authenticated. */
    private static final Set<String> UNAUTHENTICATED = Set.of("world", "ip", "super");

    public Access {
        entries = List.copyOf(entries);
    }

    /**
     * Returns configured rights.
     *
     * @param acl {@code open}, {@code creator}, or entries
     * @param readers what others may do; not used when all may do everything
     * @throws IllegalArgumentException with the reason
     */
    public static Access of(List<String> acl, List<ACL> readers) {
        if (acl.equals(List.of("open"))) {
            return OPEN;
        }
        if (acl.isEmpty()) {
            throw new IllegalArgumentException("it has no entry");
        }
        List<ACL> all = new ArrayList<>();
        for (String entry : acl) {
            all.add(entry.equals("creator") ? CREATOR : entry(entry));
        }
        all.addAll(readers);
        return new Access(all, Optional.empty());
    }

    /** Returns rights with which no node can be created, for that reason. */
    public static Access refused(String sentence) {
        return new Access(List.of(), Optional.of(sentence));
    }

    /**
     * Returns the entries of others that may read.
     *
     * @param values {@code world}, {@code anyone}, or entries with the permission {@code r}
     * @throws IllegalArgumentException with the reason
     */
    public static List<ACL> readers(List<String> values) {
        List<ACL> all = new ArrayList<>();
        for (String value : values) {
            ACL reader = List.of("world", "anyone").contains(value)
                    ? new ACL(Perms.READ, Ids.ANYONE_ID_UNSAFE)
                    : entry(value);
            if (reader.getPerms() != Perms.READ) {
                throw new IllegalArgumentException("'" + words(reader) + "' has other permissions than r");
            }
            all.add(reader);
        }
        return all;
    }

    /** Messages do not contain the id, which is a password where the hash of one is expected. */
    private static ACL entry(String text) {
        int id = text.indexOf(':') + 1;
        int permissions = text.lastIndexOf(':') + 1;
        if (id < 2 || permissions == id) {
            throw new IllegalArgumentException("'" + text.replaceFirst(":.*", ":…")
                    + "' is neither a keyword nor an entry such as sasl:name:cdrwa");
        }
        Id who = new Id(text.substring(0, id - 1), text.substring(id, permissions - 1));
        String prefix = "an entry of the scheme " + who.getScheme();
        if (who.getId().isEmpty() != who.getScheme().equals("auth")) {
            throw new IllegalArgumentException(prefix + " needs an id; only that of auth is empty");
        }
        if (who.getScheme().equals("world") && !who.equals(Ids.ANYONE_ID_UNSAFE)) {
            throw new IllegalArgumentException(prefix + " has the id anyone");
        }
        if (who.getScheme().equals("digest") && !DIGEST.matcher(who.getId()).matches()) {
            throw new IllegalArgumentException(prefix + " has a user and the hash of user and password as its id");
        }
        int rights = 0;
        for (char each : text.substring(permissions).toCharArray()) {
            rights |= PERMISSIONS.indexOf(each) < 0 ? 1 << PERMISSIONS.length() : 1 << PERMISSIONS.indexOf(each);
        }
        if (rights == 0 || rights > Perms.ALL) {
            throw new IllegalArgumentException(prefix + " has no permissions of c, d, r, w and a at its end");
        }
        return new ACL(rights, who);
    }

    /** Returns the rights for display. */
    public String words() {
        return equals(OPEN) ? "open" : words(entries);
    }

    /** Returns an ACL for display. Hashes of passwords are masked. */
    public static String words(Collection<ACL> acl) {
        return acl.stream().map(Access::words).collect(Collectors.joining(", "));
    }

    private static String words(ACL entry) {
        return entry.equals(CREATOR) ? "creator" : words(entry.getId()) + ":" + ZKUtil.getPermString(entry.getPerms());
    }

    /** Returns an identity for display. */
    public static String words(Id id) {
        return id.getScheme() + ":"
                + (id.getScheme().equals("digest") ? id.getId().replaceFirst(":.*", ":…") : id.getId());
    }

    /** Returns whether a session with these identities would create a node with this ACL. */
    public boolean matches(List<ACL> found, List<Id> identities) {
        Set<ACL> expected = new HashSet<>();
        for (ACL entry : entries) {
            Set<ACL> those = found.stream()
                    .filter(one -> one.getPerms() == entry.getPerms())
                    .filter(one -> isAuth(entry) ? isOwn(one.getId(), identities) : one.equals(entry))
                    .collect(Collectors.toSet());
            if (those.size() < (isAuth(entry) ? authenticated(identities).count() : 1) || those.isEmpty()) {
                return false;
            }
            expected.addAll(those);
        }
        return expected.containsAll(found);
    }

    /** Returns whether each session creates nodes for itself, so that all need the same identity. */
    public boolean isOfCreator() {
        return entries.stream().anyMatch(Access::isAuth);
    }

    private static boolean isAuth(ACL entry) {
        return entry.getId().getScheme().equals("auth");
    }

    /** Returns the identities with more than reading rights to a node that are neither of the session nor configured. */
    public Stream<Id> strangers(List<ACL> found, List<Id> identities) {
        return found.stream()
                .filter(one -> one.getPerms() != Perms.READ && !entries.contains(one))
                .map(ACL::getId)
                .filter(one -> !UNAUTHENTICATED.contains(one.getScheme()) && !isOwn(one, identities));
    }

    /** Returns whether a session with these identities, or any, has all rights to a node with this ACL. */
    public static boolean permitsAll(List<ACL> found, List<Id> identities) {
        return found.stream()
                .filter(one -> one.getPerms() == Perms.ALL)
                .anyMatch(one -> one.getId().equals(Ids.ANYONE_ID_UNSAFE) || isOwn(one.getId(), identities));
    }

    /** Of a digest the server tells a client its user only, and not the hash unless the client may change the ACL. */
    private static boolean isOwn(Id id, List<Id> identities) {
        return authenticated(identities)
                .anyMatch(own -> own.getScheme().equals("digest")
                        ? id.getScheme().equals("digest")
                                && id.getId().startsWith(own.getId() + ":")
                                && !id.getId().equals(own.getId() + ":x")
                        : own.equals(id));
    }

    private static Stream<Id> authenticated(List<Id> identities) {
        return identities.stream().filter(own -> !UNAUTHENTICATED.contains(own.getScheme()));
    }
}
