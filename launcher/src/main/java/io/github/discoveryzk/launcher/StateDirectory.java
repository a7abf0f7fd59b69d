// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.launcher;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The folder with the state of a cluster, locked against other launchers from opening to closing.
 */
final class StateDirectory implements AutoCloseable {

    /** What a launcher has put there. */
    private static final Pattern OWN = Pattern.compile("(instance-\\d+|zookeeper|servers-\\d+)(/|$)");

    private final Path path;
    private final FileChannel lock;

    private StateDirectory(Path path, FileChannel lock) {
        this.path = path;
        this.lock = lock;
    }

    /**
     * Locks a folder, and creates it if it is missing.
     *
     * @throws LaunchException if it cannot be used, or is in use
     */
    static StateDirectory open(Path path) throws LaunchException {
        try {
            Files.createDirectories(path);
            FileChannel channel =
                    FileChannel.open(path.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (isLocked(channel)) {
                return new StateDirectory(path, channel);
            }
            channel.close();
            throw new LaunchException(
                    "--dir " + path + " is in use by another launcher: stop that one or choose another folder");
        } catch (IOException e) {
            throw new LaunchException("--dir " + path + " cannot be written: choose another folder", e);
        }
    }

    private static boolean isLocked(FileChannel channel) throws IOException {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            return false;
        }
    }

    /**
     * Returns a list of servers for containers of this machine: the one of the last start if its ports are free. Instance n has server n.
     *
     * @throws LaunchException if it cannot be kept
     */
    String servers(int count) throws LaunchException {
        Path file = path.resolve("servers-" + count);
        try {
            for (int k = 1; k <= count; k++) {
                Path data = LauncherOptions.serverFolder(LauncherOptions.folder(path, k), count)
                        .resolve("data");
                Path id = Files.createDirectories(data).resolve("myid");
                if (!Files.exists(id)) {
                    Files.writeString(id, k + "\n");
                }
            }
            String before = Files.exists(file) ? Files.readString(file).trim() : "";
            boolean free = Stream.of(before.split("[:,]"))
                    .filter(part -> part.matches("\\d+"))
                    .allMatch(port -> Ports.isFree(Integer.parseInt(port)));
            if (!before.isEmpty() && free) {
                return before;
            }
            String chosen = IntStream.range(0, count)
                    .mapToObj(i -> Ports.HOST + ":" + Ports.free() + ":" + Ports.free() + ":" + Ports.free())
                    .collect(Collectors.joining(","));
            Files.writeString(file, chosen + "\n");
            return chosen;
        } catch (IOException e) {
            throw new LaunchException(file + " cannot be read or written; --fresh removes it", e);
        }
    }

    /**
     * Deletes the files of a launcher, and no others.
     *
     * @throws LaunchException if a file cannot be deleted
     */
    void clear() throws LaunchException {
        try (Stream<Path> tree = Files.walk(path)) {
            List<Path> own = tree.filter(file ->
                            OWN.matcher(path.relativize(file).toString()).lookingAt())
                    .sorted(Comparator.reverseOrder())
                    .toList();
            for (Path file : own) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new LaunchException("cannot clear --dir " + path, e);
        }
    }

    @Override
    public void close() throws IOException {
        lock.close();
    }
}
