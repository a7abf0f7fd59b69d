// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.benchmarks;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** The main class of a process with members: executes the commands of a {@link RemoteGroup} and answers each with one line. */
final class GroupProcess {

    private GroupProcess() {}

    public static void main(String[] arguments) throws Exception {
        Group group = new LocalGroup(Contestant.valueOf(arguments[0]), arguments[1]);
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        String line = commands.readLine();
        while (line != null && !line.equals("close")) {
            System.out.println(answer(group, line.split(" ")));
            line = commands.readLine();
        }
        if (line != null) {
            group.close();
            System.out.println("closed");
        }
        System.exit(0);
    }

    private static String answer(Group group, String... words) {
        try {
            return execute(group, words);
        } catch (Exception e) {
            return "failed " + e;
        }
    }

    private static String execute(Group group, String... words) throws Exception {
        return switch (words[0]) {
            case "begin" -> {
                Optional<String> value = Optional.of(words[2]).filter(one -> !one.equals("-"));
                group.begin(Integer.parseInt(words[1]), value, ids(words, 3));
                yield "done";
            }
            case "connect" -> {
                group.connect(ids(words, 1));
                yield "done";
            }
            case "join" -> "done " + group.join(ids(words, 1));
            case "start" -> "done " + group.start(words[1]);
            case "leave" -> "done " + group.leave(ids(words, 1));
            case "change" -> "done " + group.change(words[1], words[2]);
            case "await" -> {
                Recorder.Told told = group.await(Long.parseLong(words[1]));
                yield "done " + told.complete() + " " + told.last() + " " + told.changingNanos();
            }
            case "leader" -> "done " + group.leader().orElse("-");
            case "heap" -> "done " + group.heap();
            case "usage" -> {
                Usage used = group.usage();
                yield "done " + used.processNanos() + " " + used.threadNanos() + " " + used.threads() + " "
                        + used.bytes() + " " + used.decisions() + " " + used.decisionNanos();
            }
            default -> throw new IllegalArgumentException(words[0]);
        };
    }

    private static List<String> ids(String[] words, int from) {
        return List.of(words).subList(from, words.length);
    }
}
