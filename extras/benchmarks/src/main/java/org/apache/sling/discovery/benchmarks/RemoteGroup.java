// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Members in a process of their own. */
@ThreadsAndClocks
final class RemoteGroup implements Group {
    private static final int CLOSE_SECONDS = 60;

    private final Process process;
    private final PrintWriter commands;
    private final BufferedReader answers;

    RemoteGroup(Contestant contestant, String connectString, Path log) throws IOException {
        process = JavaProcess.start(JavaProcess.of(GroupProcess.class, contestant.name(), connectString)
                .redirectError(log.toFile()));
        commands = new PrintWriter(process.getOutputStream(), true, StandardCharsets.UTF_8);
        answers = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    private String[] ask(String command) throws IOException {
        commands.println(command);
        String answer = answers.readLine();
        if (answer == null || !answer.startsWith("done")) {
            throw new IOException("A process with members answers '" + command + "' with " + answer);
        }
        return answer.split(" ");
    }

    private static String words(List<String> ids) {
        return ids.isEmpty() ? "" : " " + String.join(" ", ids);
    }

    @Override
    public void begin(int size, Optional<String> value, List<String> ids) throws IOException {
        ask("begin " + size + " " + value.orElse("-") + words(ids));
    }

    @Override
    public void connect(List<String> ids) throws IOException {
        ask("connect" + words(ids));
    }

    @Override
    public long join(List<String> ids) throws IOException {
        return Long.parseLong(ask("join" + words(ids))[1]);
    }

    @Override
    public long start(String id) throws IOException {
        return Long.parseLong(ask("start " + id)[1]);
    }

    @Override
    public long leave(List<String> ids) throws IOException {
        return Long.parseLong(ask("leave" + words(ids))[1]);
    }

    @Override
    public long change(String id, String value) throws IOException {
        return Long.parseLong(ask("change " + id + " " + value)[1]);
    }

    @Override
    public Recorder.Told await(long limitMillis) throws IOException {
        String[] words = ask("await " + limitMillis);
        return new Recorder.Told(Boolean.parseBoolean(words[1]), Long.parseLong(words[2]), Long.parseLong(words[3]));
    }

    @Override
    public Optional<String> leader() throws IOException {
        return Optional.of(ask("leader")[1]).filter(id -> !id.equals("-"));
    }

    @Override
    public Usage usage() throws IOException {
        String[] words = ask("usage");
        return new Usage(
                Long.parseLong(words[1]),
                Long.parseLong(words[2]),
                Long.parseLong(words[3]),
                Long.parseLong(words[4]),
                Long.parseLong(words[5]),
                Long.parseLong(words[6]));
    }

    @Override
    public long heap() throws IOException {
        return Long.parseLong(ask("heap")[1]);
    }

    ThreadTimes threadTimes() throws IOException {
        return ThreadTimes.of(process.pid());
    }

    /** Kills the process, and returns when that began. */
    long kill() {
        long start = System.nanoTime();
        process.destroyForcibly();
        return start;
    }

    @Override
    public void close() {
        commands.println("close");
        try {
            if (!process.waitFor(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
