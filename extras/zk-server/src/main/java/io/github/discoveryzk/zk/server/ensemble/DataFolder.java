// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.server.ensemble;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.zookeeper.server.PurgeTxnLog;

/**
 * The folder of a server: {@code data} of ZooKeeper with {@code myid}, its {@code configuration}, and what this bundle remembers:
 * {@code served}, the list with which the server has served, and {@code client}, a list of which this container carries no server.
 */
record DataFolder(Path path, LongSupplier free) {
    static final long MEGABYTE = 1L << 20;

    /** The least free space to run with. */
    static final long LEAST_BYTES = 20 * MEGABYTE;

    private static final int SNAPSHOTS_TO_KEEP = 3;
    /** With less free space an administrator should act. */
    private static final long FEW_BYTES = 200 * MEGABYTE;

    /** Anything beyond the snapshot of an empty tree, which a server writes before it has served. */
    private static final Pattern TRANSACTIONS = Pattern.compile("(snapshot|log)\\.(?!0$)[0-9a-f]+");

    private static final Pattern ANY = Pattern.compile("(snapshot|log)\\.[0-9a-f]+");

    DataFolder(Path path) {
        this(path, path.toFile()::getUsableSpace);
    }

    Path data() {
        return path.resolve("data");
    }

    /** Returns the id that this folder belongs to; empty before the first start. */
    OptionalInt id() throws IOException {
        Path file = data().resolve("myid");
        if (!Files.exists(file)) {
            return OptionalInt.empty();
        }
        try {
            return OptionalInt.of(Integer.parseInt(Files.readString(file).trim()));
        } catch (NumberFormatException e) {
            throw new IOException(file + " has no number", e);
        }
    }

    void remember(int id) throws IOException {
        Files.createDirectories(data());
        Files.writeString(data().resolve("myid"), id + "\n");
    }

    /** Takes back the choice of an id for which the server never got its ports. */
    void forgetUnused() throws IOException {
        if (!hasData() && served().isEmpty()) {
            Files.deleteIfExists(data().resolve("myid"));
        }
    }

    /** Returns whether there are transactions, in logs or in snapshots. */
    boolean hasData() throws IOException {
        return has(TRANSACTIONS);
    }

    /** Returns whether the data is lost: the server has served, and not even an empty tree is left. */
    boolean isLost() throws IOException {
        return served().isPresent() && !has(ANY);
    }

    private boolean has(Pattern names) throws IOException {
        Path files = data().resolve("version-2");
        return Files.isDirectory(files)
                && list(files).stream()
                        .anyMatch(each ->
                                names.matcher(each.getFileName().toString()).matches());
    }

    /** Returns the list with which this server has served last; empty before it has served. */
    Optional<Servers> served() throws IOException {
        Path file = path.resolve("served");
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        try {
            return Optional.of(Servers.parse(Files.readString(file).trim()));
        } catch (IllegalArgumentException e) {
            throw new IOException(file + " cannot be read: " + e.getMessage(), e);
        }
    }

    void rememberServed(Servers servers) throws IOException {
        Files.writeString(path.resolve("served"), servers.text() + "\n");
    }

    /** Returns the file with the list of which this container has no server. */
    Path client() {
        return path.resolve("client");
    }

    boolean isClientOf(Servers servers) throws IOException {
        return Files.exists(client()) && Files.readString(client()).trim().equals(servers.text());
    }

    void rememberClientOf(Servers servers) throws IOException {
        Files.createDirectories(path);
        Files.writeString(client(), servers.text() + "\n");
    }

    /** Lets a server without data vote, once. */
    void allowVote() throws IOException {
        Files.writeString(data().resolve("initialize"), "");
    }

    /** Keeps a server without data from voting, also if it was allowed to vote before and has never served. */
    void forbidVote() throws IOException {
        Files.deleteIfExists(data().resolve("initialize"));
        if (!hasData() && Files.isDirectory(data().resolve("version-2"))) {
            for (Path file : list(data().resolve("version-2"))) {
                Files.delete(file);
            }
        }
    }

    /** Returns the folder for generated configurations, which is empty: ZooKeeper writes some at each start and removes none. */
    Path emptyConfiguration() throws IOException {
        Path folder = Files.createDirectories(path.resolve("configuration"));
        for (Path file : list(folder)) {
            Files.delete(file);
        }
        return folder;
    }

    private static List<Path> list(Path folder) throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.toList();
        }
    }

    /** Removes all but the last snapshots and the logs that they need. */
    void purge() throws IOException {
        PurgeTxnLog.purge(data().toFile(), data().toFile(), SNAPSHOTS_TO_KEEP);
    }

    /** Returns the free space of the file system, in bytes. */
    long freeBytes() throws IOException {
        Files.createDirectories(path);
        return free.getAsLong();
    }

    /** Returns what needs attention before it harms, a sentence each. */
    List<String> problems(Servers servers) throws IOException {
        List<String> all = new ArrayList<>(disk(path, freeBytes()));
        if (isLost()) {
            all.add("The data of this server is lost: it has served, and " + data() + " has none. "
                    + (servers.size() == 1
                            ? "Restore that folder, or remove " + path + " to start without data."
                            : "It does not vote before it has synced from the leader of the others."));
        }
        return all;
    }

    static List<String> disk(Path folder, long freeBytes) {
        return freeBytes >= FEW_BYTES
                ? List.of()
                : List.of("The file system of " + folder
                        + " is nearly full. "
                        + (freeBytes < LEAST_BYTES
                                ? "The server of this container is stopped"
                                : "ZooKeeper ends when it cannot write")
                        + ": make space now, at least " + FEW_BYTES / MEGABYTE + " MB.");
    }
}
