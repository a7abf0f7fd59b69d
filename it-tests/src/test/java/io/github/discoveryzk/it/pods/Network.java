// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.pods;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A network that reaches nothing else, with names that come and go. Each machine in it has a network namespace and process ids of its
 * own. Needs Linux that permits namespaces, and {@code ip}, {@code nsenter} and {@code unshare}.
 */
final class Network implements AutoCloseable {

    private static final List<String> UNSHARE = List.of("unshare", "--map-root-user", "--net", "--mount");

    private static final int HOSTS_BYTES = 1_000;

    private final Path hosts;
    private final Map<String, String> names = new TreeMap<>();
    private final Process outer;

    Network(Path folder) throws IOException {
        hosts = folder.resolve("hosts");
        write();
        List<String> command = new ArrayList<>(UNSHARE);
        command.addAll(List.of("sh", "src/test/resources/pods.sh", hosts.toString()));
        outer = new ProcessBuilder(command).redirectErrorStream(true).start();
        String answer = outer.inputReader().readLine();
        assertThat(answer).as("answer of the network").isEqualTo("ready");
    }

    /** Says why there can be no network; empty if there can be one. */
    static String obstacle() {
        try {
            List<String> command = new ArrayList<>(UNSHARE);
            command.addAll(List.of(
                    "sh",
                    "-euc",
                    "mount -t tmpfs none /run; ip link add x type bridge; ip netns add y;"
                            + " ip netns exec y unshare --pid --fork --kill-child --mount-proc curl --version"));
            Process trial =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String output = new String(trial.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return trial.waitFor() == 0 ? "" : output;
        } catch (IOException e) {
            return e.getMessage();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns the words with which a command runs in the network. */
    private List<String> inside(Path directory) {
        return List.of(
                "nsenter",
                "--target=" + outer.pid(),
                "--user",
                "--preserve-credentials",
                "--net",
                "--mount",
                "--wd=" + directory);
    }

    /** Returns the words with which a process runs on a machine and in a folder; a stop must reach the process that they start. */
    String on(String machine, Path directory) {
        return String.join(" ", inside(directory)) + " ip netns exec " + machine
                + " unshare --pid --fork --kill-child --mount-proc";
    }

    /** Runs a script in the network. */
    Process start(String script, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(inside(Path.of("").toAbsolutePath()));
        command.addAll(List.of("sh", "-euc", script, "sh"));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    /** Runs a script in the network, which must succeed. */
    private void run(String script, String... arguments) throws Exception {
        Process process = start(script, arguments);
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
    }

    /** Adds a machine. */
    void add(String machine, String address) throws Exception {
        run(
                "ip netns add $1; ip link add $1 type veth peer name eth0 netns $1; ip link set $1 master pods up;"
                        + " ip -n $1 link set lo up; ip -n $1 addr add $2/16 dev eth0; ip -n $1 link set eth0 up",
                machine,
                address);
    }

    /** Removes a machine. */
    void remove(String machine) throws Exception {
        run("ip link del $1; ip netns del $1", machine);
    }

    /** Cuts a machine off, or connects it again. Its connections notice nothing. */
    void cut(String machine, boolean off) throws Exception {
        run("ip link set $1 $2", machine, off ? "down" : "up");
    }

    /** Lets a name be found. */
    void name(String name, String address) throws IOException {
        names.put(name, address);
        write();
    }

    /** Lets a name be unknown. */
    void forget(String name) throws IOException {
        names.remove(name);
        write();
    }

    /** Writes the file in its place, because it is mounted; by one write of the same length, so that no reader finds it empty. */
    private void write() throws IOException {
        StringBuilder text = new StringBuilder("127.0.0.1 localhost\n");
        names.forEach(
                (name, address) -> text.append(address).append(' ').append(name).append('\n'));
        byte[] padded = (text + "\n".repeat(HOSTS_BYTES - text.length())).getBytes(StandardCharsets.US_ASCII);
        Files.write(hosts, padded, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    }

    @Override
    public void close() throws IOException {
        outer.getOutputStream().close();
    }
}
