// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.benchmarks.process;

import io.github.discoveryzk.benchmarks.member.Contestant;
import io.github.discoveryzk.spi.ThreadsAndClocks;
import java.io.EOFException;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A process with a {@link Group}: questions go to its standard input, and answers come from its standard output. */
@ThreadsAndClocks
public final class GroupProcess implements AutoCloseable {

    private static final int CLOSE_SECONDS = 60;

    private final Process process;
    private final ObjectOutputStream questions;
    private final ObjectInputStream answers;

    /** Starts a process with the jars of a build; empty for this one. */
    public GroupProcess(String build, Contestant contestant, String connectString, Path log) throws IOException {
        process = JavaProcess.of(build, GroupProcess.class, contestant.name(), connectString)
                .redirectError(log.toFile())
                .start();
        questions = new ObjectOutputStream(process.getOutputStream());
        questions.flush();
        answers = new ObjectInputStream(process.getInputStream());
    }

    /** The other end. It ends with the process that asks. */
    public static void main(String[] arguments) {
        OutputStream out = System.out;
        // What a library prints must not appear among the answers.
        System.setOut(System.err);
        try (Group group = new Group(Contestant.valueOf(arguments[0]), arguments[1])) {
            ObjectOutputStream answers = new ObjectOutputStream(out);
            answers.flush();
            ObjectInputStream questions = new ObjectInputStream(System.in);
            while (true) {
                answers.writeObject(answer(group, (Group.Question<?>) questions.readObject()));
                answers.reset();
            }
        } catch (EOFException e) {
            System.exit(0);
        } catch (Exception e) {
            e.printStackTrace();
            System.exit(1);
        }
    }

    private static Serializable answer(Group group, Group.Question<?> question) {
        try {
            return question.ask(group);
        } catch (Exception e) {
            return new IOException("A process with members has failed: " + e);
        }
    }

    /** Returns the answer of the group. */
    @SuppressWarnings("unchecked")
    public <T extends Serializable> T ask(Group.Question<T> question) throws IOException {
        try {
            questions.writeObject(question);
            questions.flush();
            questions.reset();
            Object answer = answers.readObject();
            if (answer instanceof IOException failure) {
                throw failure;
            }
            return (T) answer;
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException("both processes have the same classes", e);
        }
    }

    /** Kills the process, and returns when that began. */
    public long kill() {
        long start = System.nanoTime();
        process.destroyForcibly();
        return start;
    }

    /** Makes all members leave, and ends the process. */
    @Override
    public void close() throws IOException {
        try {
            questions.close();
            process.waitFor(CLOSE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            process.destroyForcibly();
        }
    }
}
