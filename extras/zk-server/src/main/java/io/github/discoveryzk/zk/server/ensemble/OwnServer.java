// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.server.ensemble;

import io.github.discoveryzk.report.AddedSection;
import io.github.discoveryzk.report.Startup;
import io.github.discoveryzk.report.Startup.Stage;
import io.github.discoveryzk.spi.ThreadsAndClocks;
import io.github.discoveryzk.zk.server.ensemble.Answer.Kind;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The server of this container, or the finding that it has none. One thread chooses the entry, waits until the server may start,
 * starts it, starts it again if it has ended by itself, and purges its files. Safe for use by any thread.
 */
@ThreadsAndClocks
public final class OwnServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OwnServer.class);

    private static final long ROUND_MILLIS = 500;
    private static final long RETRY_MILLIS = 5_000;
    private static final long REPORT_MILLIS = 1_000;
    /** Longer than the start of a server, during which it does not answer. */
    private static final long JOIN_MILLIS = EmbeddedServer.START_MILLIS + 5_000;

    /** How long the name of a machine may take to follow its start. */
    private static final long NAME_NANOS = TimeUnit.MINUTES.toNanos(1);

    /** With the 13 s that work, listeners and the session of the instance take at most, a container stops within 20 s. */
    private static final long STOP_MILLIS = 7_000;

    private final DataFolder folder;
    private final Runnable accepted;
    private final Members members;
    private final RecentAnswers answers;
    private final long madeNanos = System.nanoTime();
    private final CountDownLatch chosen = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread = new Thread(this::run, "discovery-zk-server");

    private volatile Optional<Entry> own = Optional.empty();
    private volatile Said said = new Said("It starts.", List.of(), Stage.STARTING);
    private RunningServer server;
    private Placeholder placeholder;
    private Claim claim;

    /** What is true of the server: a sentence, what needs attention, and how far its start is. */
    private record Said(String sentence, List<String> problems, Stage stage) {}

    /**
     * Makes a server that is not started yet.
     *
     * @param folder where it keeps its data; created if missing
     * @param accepted called by its thread each time it finds that the list fits this machine and its data
     */
    public OwnServer(Servers servers, Path folder, Runnable accepted) {
        this(servers, new DataFolder(folder), accepted);
    }

    OwnServer(Servers servers, DataFolder folder, Runnable accepted) {
        this.folder = folder;
        this.accepted = accepted;
        this.members = new Members(servers);
        this.answers = new RecentAnswers(members, REPORT_MILLIS);
        thread.setDaemon(true);
        // ZooKeeper loads classes by it, and its threads inherit it.
        thread.setContextClassLoader(OwnServer.class.getClassLoader());
    }

    /** Throws {@link IllegalArgumentException} with the reason if a list does not fit this machine or the data in a folder. */
    public static void check(Servers servers, Path folder) throws IOException {
        OptionalInt remembered = new DataFolder(folder).id();
        if (OwnEntry.choose(servers, Machine.THIS, remembered, folder.toString()) instanceof OwnEntry.Refused refused) {
            throw new IllegalArgumentException(refused.sentence());
        }
    }

    /** Begins to start; returns immediately. */
    public void start() {
        thread.start();
    }

    private void run() {
        try {
            long pause = 0;
            while (!closed.await(pause, TimeUnit.MILLISECONDS)) {
                pause = round();
                answers.ask();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            stop();
        }
    }

    /** Does what is due; returns for how long to wait, in milliseconds. */
    private long round() throws InterruptedException {
        try {
            if (server == null) {
                choose();
            } else {
                watch();
            }
            return own.isPresent() ? ROUND_MILLIS : RETRY_MILLIS;
        } catch (IOException | RuntimeException | LinkageError e) {
            LOG.debug("The ZooKeeper server of this container", e);
            stop();
            say("This container has no server now; it tries again.", List.of(text(e, folder.path())), Stage.STARTING);
            return RETRY_MILLIS;
        }
    }

    private static String text(Throwable e, Path folder) {
        if (e instanceof FileSystemException) {
            return "The folder " + folder + " cannot be used (" + e
                    + "): let this process write there, or name another one.";
        }
        return e instanceof IOException && e.getMessage() != null ? e.getMessage() : e.toString();
    }

    private void choose() throws IOException, InterruptedException {
        OwnEntry choice = claim == null ? OwnEntry.of(members, folder) : new OwnEntry.Carries(own.orElseThrow());
        own = choice instanceof OwnEntry.Carries carries ? Optional.of(carries.entry()) : Optional.empty();
        chosen.countDown();
        if (!(choice instanceof OwnEntry.Refused)) {
            accepted.run();
        }
        if (choice instanceof OwnEntry.Carries carries) {
            claim = claim == null ? Claim.of(carries.entry()).orElse(null) : claim;
            // If another container of this machine was faster, this one chooses again.
            if (claim != null) {
                join(carries.entry());
            }
        } else if (choice instanceof OwnEntry.ClientOnly client) {
            beClient(client);
        } else if (choice instanceof OwnEntry.Refused refused) {
            say("This container starts no server.", List.of(refused.sentence()), Stage.STARTING);
        } else if (choice instanceof OwnEntry.Busy busy) {
            say("This container starts no server.", List.of(busy.sentence()), Stage.STARTING);
        }
    }

    /** A server that is down may be that of this machine, whose name follows late. So a client waits for all servers, but not for long. */
    private void beClient(OwnEntry.ClientOnly client) {
        List<String> down = said.stage() == Stage.STARTED || System.nanoTime() - madeNanos > NAME_NANOS
                ? List.of()
                : report(members.answers(0), Optional.empty()).risks(UnaryOperator.identity());
        String sentence =
                client.sentence() + down.stream().map(each -> " " + each).collect(Collectors.joining());
        say(sentence, List.of(), down.isEmpty() ? Stage.STARTED : Stage.STARTING);
    }

    /** Starts the server if it may; else it answers others until it may. */
    private void join(Entry entry) throws IOException, InterruptedException {
        if (folder.freeBytes() < DataFolder.LEAST_BYTES
                || (folder.isLost() && members.servers().size() == 1)) {
            say("This container starts no server.", folder.problems(members.servers()), Stage.STARTING);
        } else if (folder.hasData() && !grows()) {
            launch(entry, new Joining(Joining.Step.START_WITHOUT_VOTE, false, "It starts with its data."));
        } else {
            joinEmpty(entry);
        }
    }

    /** An ensemble of one has all data, but no majority of the new list. */
    private boolean grows() throws IOException {
        return members.servers().size() > 1
                && folder.served().filter(list -> list.size() == 1).isPresent();
    }

    private void joinEmpty(Entry entry) throws IOException, InterruptedException {
        if (placeholder == null) {
            placeholder = new Placeholder(entry, folder.hasData() ? Kind.GROWING : Kind.EMPTY);
        }
        Joining joining =
                Joining.decide(members.servers(), entry.id(), placeholder.kind(), members.answers(entry.id()));
        if (joining.step() != Joining.Step.JOIN) {
            placeholder.holdBack();
        }
        switch (joining.step()) {
            case START, START_WITHOUT_VOTE -> launch(entry, joining);
            default -> await(entry, joining);
        }
    }

    private void await(Entry entry, Joining joining) throws IOException, InterruptedException {
        if (joining.step() == Joining.Step.FORM) {
            placeholder.change(Kind.FORMING);
        }
        if (placeholder.joiningMillis() > JOIN_MILLIS) {
            launch(entry, joining);
        } else {
            say(
                    "Server " + entry.id() + " waits. " + joining.sentence(),
                    folder.problems(members.servers()),
                    joining.founds() ? Stage.FOUNDING : Stage.STARTING);
        }
    }

    private void launch(Entry entry, Joining joining) throws IOException, InterruptedException {
        boolean vote = joining.step() != Joining.Step.START_WITHOUT_VOTE;
        String sentence = joining.sentence();
        removePlaceholder();
        folder.remember(entry.id());
        if (vote) {
            folder.allowVote();
        } else {
            folder.forbidVote();
        }
        String whyNoVote = vote || folder.hasData() ? "" : " " + sentence;
        say(
                members.servers().named(entry, "starts") + ". " + sentence,
                folder.problems(members.servers()),
                joining.founds() ? Stage.FOUNDING : Stage.STARTING);
        server = RunningServer.start(entry, members, folder, whyNoVote);
    }

    private void watch() throws IOException {
        server.checkRuns();
        if (folder.freeBytes() < DataFolder.LEAST_BYTES) {
            // The next round names the disk. A server that cannot write elects and fails for ever, beside followers
            // that could lead.
            stop();
        } else {
            String sentence = server.look();
            Stage before = said.stage() == Stage.FOUNDING ? Stage.FOUNDING : Stage.STARTING;
            say(sentence, folder.problems(members.servers()), server.isServing() ? Stage.STARTED : before);
        }
    }

    private void say(String sentence, List<String> problems, Stage stage) {
        Said before = said;
        said = new Said(sentence, problems, stage);
        if (!before.sentence().equals(sentence)) {
            LOG.info("ZooKeeper in this container: {}", sentence);
        }
        problems.stream()
                .filter(each -> !before.problems().contains(each))
                .forEach(each -> LOG.warn("ZooKeeper in this container: {}", each));
    }

    private void stop() {
        removePlaceholder();
        if (server != null) {
            server.close();
            server = null;
        }
        if (claim != null) {
            claim.close();
            claim = null;
        }
    }

    private void removePlaceholder() {
        if (placeholder != null) {
            placeholder.close();
            placeholder = null;
        }
    }

    /** Stops the server and waits until it has ended, for seven seconds at most. */
    @Override
    public void close() {
        close(STOP_MILLIS);
    }

    void close(long millis) {
        closed.countDown();
        try {
            thread.join(millis);
            if (thread.isAlive()) {
                LOG.warn("The ZooKeeper server of this container has not stopped within {} ms; it ends later", millis);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Returns the section for the topology page.
     *
     * @param instances the names of instances by the addresses of the servers in their containers
     */
    public AddedSection.Content content(Map<String, String> instances) {
        return report().content(instances);
    }

    /** Returns the address of the server of this container, if it has one. Waits at most a second for the choice. */
    public Optional<String> address() {
        try {
            chosen.await(1, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return own.map(Entry::address);
    }

    /** Returns how far the start of the server is, if this container has one. Does not block. */
    public Startup startup() {
        Said now = said;
        return now.stage() == Stage.STARTED
                ? Startup.OVER
                : new Startup(now.stage(), now.problems().stream().findFirst().orElse(now.sentence()));
    }

    /**
     * Returns why the ensemble should not lose the server of this container now. Has the servers asked, and waits up to a second for their
     * answers if nothing has asked for a while.
     *
     * @param names how a text names a server by its address
     * @param leaving the addresses of servers that end although they may have answered
     */
    public Optional<String> objection(UnaryOperator<String> names, Set<String> leaving) {
        return own.isPresent()
                ? report(answers.latest(), Optional.empty()).objection(names, leaving)
                : Optional.empty();
    }

    /** Returns why servers should end late when all are restarted, by address, as they were found last. Does not block. */
    public Map<String, String> late() {
        return report(Optional.empty()).late();
    }

    /** Returns what each server of the ensemble does, by address, as it was found last. Does not block. */
    public Map<String, String> states() {
        return report(Optional.empty()).states();
    }

    /**
     * Returns what needs attention, a sentence each; of the other servers as it was found last. Does not block.
     *
     * @param names how a text names a server by its address
     */
    public Stream<String> problems(UnaryOperator<String> names) {
        EnsembleReport latest = report(Optional.empty());
        return Stream.concat(latest.problems().stream(), latest.risks(names).stream());
    }

    /** Returns which servers do not serve if so many do not that no other one does. Does not block. */
    public Optional<String> whyUnreachable(UnaryOperator<String> names) {
        EnsembleReport latest = report(Optional.empty());
        return latest.hasNoMajority() ? latest.risks(names).stream().findFirst() : Optional.empty();
    }

    /** Returns the ensemble as its servers answered in the last minute. The thread of the server asks them again, for up to two seconds each. */
    EnsembleReport report() {
        answers.want();
        return report(own.map(any -> free()));
    }

    private EnsembleReport report(Optional<String> disk) {
        return report(answers.get(), disk);
    }

    private EnsembleReport report(Map<Integer, Answer> answered, Optional<String> disk) {
        Said now = said;
        EnsembleReport report =
                new EnsembleReport(now.sentence(), now.problems(), members.servers(), own, answered, disk);
        return own.isPresent() && now.stage() == Stage.STARTED ? report.whileServing() : report;
    }

    private String free() {
        try {
            return "Its data is in " + folder.path() + ", where " + folder.freeBytes() / DataFolder.MEGABYTE
                    + " MB are free.";
        } catch (IOException e) {
            return "Its data is in " + folder.path() + ", which cannot be read: " + e;
        }
    }
}
