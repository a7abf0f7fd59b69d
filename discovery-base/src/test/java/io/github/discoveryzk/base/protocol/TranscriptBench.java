// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.base.protocol.Facts.Intent;
import io.github.discoveryzk.base.protocol.Facts.Link;
import io.github.discoveryzk.base.protocol.Facts.Suspect;
import io.github.discoveryzk.model.Acknowledgement;
import io.github.discoveryzk.model.EstablishedView;
import io.github.discoveryzk.model.FormatRange;
import io.github.discoveryzk.model.Incarnation;
import io.github.discoveryzk.model.LeaseProbe;
import io.github.discoveryzk.model.LeaveRecord;
import io.github.discoveryzk.model.Member;
import io.github.discoveryzk.model.MemberRecord;
import io.github.discoveryzk.model.ProcessInfo;
import io.github.discoveryzk.model.Reason;
import io.github.discoveryzk.model.Renewal;
import io.github.discoveryzk.model.StoreSnapshot;
import io.github.discoveryzk.model.Suspicion;
import io.github.discoveryzk.model.UnreadableMember;
import io.github.discoveryzk.model.ViewHead;
import io.github.discoveryzk.model.ViewSlot;
import io.github.discoveryzk.spi.Request;
import io.github.discoveryzk.spi.SettlingPolicy;
import io.github.discoveryzk.spi.SettlingPolicy.SuspendedPolicy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The facts of one instance, changed by commands, and the decisions of the protocol. Facts stay until a command changes them.
 * The instance is {@code a} unless another one is named.
 *
 * <pre>
 * instance b                       the id of the instance
 * policy settle=30000 quiet=0 regroup=0 step-in=1000 suspended=lease|strict
 * at 1200                          the time
 * session 7 timeout 9000           connected; a snapshot is still to come
 * observed                         the snapshot after the connection; from then on changes are observed immediately
 * suspended | expired              the connection or the session is lost, and all replies with it
 * member m-b 20 b                  node, seniority and instance id; rewrites an existing node. Also:
 *     own                          created by this process, with the record that it should have
 *     session=7 timeout=9000 invalidated-up-to=5 waiting=L1 process=x home=x formats=1-2 format=2 color=red
 * gone m-b                         the node is deleted
 * view 5 m-a m-b                   the established view; also token=3 previous=4 out=m-c,m-d timeout=9000
 * unreadable view                  the view is unreadable
 * unreadable m-b 20                node and seniority of a live member whose record cannot be read; also session=7 formats=1-2
 * readable m-b                     the member can be read again, or has left
 * formats 1-2                      the formats that the instance reads and writes
 * cluster another                  the id of the cluster
 * deleted view                     the node of the view was deleted and created again
 * acks 5:m-a 5:m-b                 all acknowledgements; observed while they are collected
 * holding                          the instance acts on the established view
 * confirmed [by a read]            a renewal, or a read, that started now is answered
 * lapsed                           the lease was found over, although it might have been extended in time
 * lease-probe 3 by=m-a timeout=9000 m-b:stopped
 *                                  number of renewals, what the last one names, and how members left; evicted:m-a names the evictor
 * recorded 9                       the highest number of a view in the history
 * highest 9                        the highest view number that the process has ever seen
 * done announce                    the request of that kind in flight is completed; rejected and lost likewise
 * offer color=red                  all properties of the instance
 * suspects m-b m-c:ended           the members whose processes seem to have ended, or are proven to have
 * suspicions m-b:m-a               all suspicions that the instance sees: accused and accuser
 * paused                           the instance was paused until now
 * delivering L1 L2 | delivered     listeners that have not returned from CHANGING
 * leaving [m-b]                    the instance is being stopped, and removes that node
 * standing-down [m-b]              the instance gives up its seniority, and evicts others
 * evicting m-b                     the instance removes that node
 * predecessor process              the name of a predecessor that has ended
 * losses 4 until 9000              how often the seniority was lost, and when the instance may announce itself again
 * </pre>
 */
final class TranscriptBench {

    private static final int TURNS = 20;

    /** The options of a member that are no properties. */
    private static final Set<String> TRAITS =
            Set.of("process home session timeout invalidated-up-to waiting formats format".split(" "));

    private final Map<String, Member> members = new LinkedHashMap<>();
    private final Map<String, UnreadableMember> blind = new LinkedHashMap<>();
    private final Map<String, String> instanceIds = new HashMap<>();
    private final Map<Object, Started> underWay = new HashMap<>();
    private FormatRange formats = FormatRange.CURRENT;
    private String instance = "a";
    private String cluster = "the-cluster";
    private Map<String, String> offered = Map.of();
    private SettlingPolicy policy = new SettlingPolicy(30_000, 0, 1_000, SuspendedPolicy.LEASE);
    private ViewSlot slot = new ViewSlot(0, 100, 0, Optional.empty());
    private Set<Acknowledgement> acknowledgements = Set.of();
    private Set<Suspicion> suspicions = Set.of();
    private Observations observations = new Observations(MemberRecord.of(instance, process(instance), offered));
    private List<String> delivering = List.of();
    private Intent intent = Intent.NONE;
    private Optional<LeaseProbe> leaseProbe = Optional.empty();
    private boolean collecting;
    private long now;
    private Settling state = Settling.starting(0);

    private record Started(Request request, long at) {}

    // Commands

    void command(String line) {
        List<String> words = Arrays.asList(line.trim().split("\\s+"));
        List<String> rest = words.subList(1, words.size());
        switch (words.get(0)) {
            case "instance" -> {
                instance = rest.get(0);
                observations = new Observations(MemberRecord.of(instance, process(instance), offered));
            }
            case "policy" -> policy(options(rest));
            case "at" -> now = Long.parseLong(rest.get(0));
            case "session" -> connected(Long.parseLong(rest.get(0)), Integer.parseInt(rest.get(2)));
            case "observed" -> observe();
            case "suspended" -> suspended();
            case "expired" -> expired();
            case "member" -> member(rest);
            case "gone" -> gone(rest.get(0));
            case "view" -> view(rest);
            case "unreadable" -> unreadable(rest);
            case "readable" -> blind.remove(rest.get(0));
            case "formats" -> formats = formats(rest.get(0));
            case "deleted" -> slot = new ViewSlot(0, slot.stamp() + 1, 0, Optional.empty());
            case "cluster" -> cluster = rest.get(0);
            case "acks" -> acknowledgements =
                    rest.stream().map(TranscriptBench::acknowledgement).collect(Collectors.toSet());
            case "holding" -> state =
                    new Settling.Settled(HeldView.of(ownNode(), snapshot()).orElseThrow());
            case "confirmed" -> observations.recordSuccess(
                    rest.contains("read") ? new Request.Probe() : new Request.Renew("", 0, 9_000), now, now);
            case "lapsed" -> observations.endLease();
            case "lease-probe" -> leaseProbed(rest);
            case "recorded" -> slot =
                    new ViewSlot(slot.version(), slot.stamp(), Long.parseLong(rest.get(0)), slot.view());
            case "highest" -> hadSeen(Long.parseLong(rest.get(0)));
            case "done" -> done(rest.get(0));
            case "rejected", "lost" -> underWay.remove(kind(rest.get(0)));
            case "offer" -> offer(options(rest));
            case "delivering" -> delivering = rest;
            case "delivered" -> delivering = List.of();
            case "suspects" -> intent = suspecting(rest);
            case "suspicions" -> suspicions = rest.stream()
                    .map(word -> new Suspicion(word.split(":")[0], word.split(":")[1]))
                    .collect(Collectors.toSet());
            case "paused" -> observations.recordPause(now);
            case "leaving" -> intent = removing(true, Optional.empty(), rest);
            case "standing-down" -> intent = removing(false, Optional.of(ownNode()), rest);
            case "evicting" -> intent = removing(false, Optional.empty(), rest);
            case "predecessor" -> intent = new Intent(
                    false, Optional.empty(), Set.of(), Set.of(), Optional.of("run-" + rest.get(0)), Long.MIN_VALUE, 0);
            case "losses" -> intent = new Intent(
                    false,
                    Optional.empty(),
                    Set.of(),
                    Set.of(),
                    Optional.empty(),
                    Long.parseLong(rest.get(2)),
                    Integer.parseInt(rest.get(0)));
            default -> throw new IllegalArgumentException("no command " + words.get(0));
        }
        if (link().usable()) {
            observe();
        }
    }

    private Link link() {
        return observations.link();
    }

    private void observe() {
        observations.observed(snapshot(), now);
    }

    private void offer(Map<String, String> properties) {
        offered = properties;
        observations.updateOwnRecord(before -> MemberRecord.of(instance, process(instance), offered));
    }

    /** Simulates an earlier snapshot of a view with that number. */
    private void hadSeen(long number) {
        boolean usable = link().usable();
        Member other = SampleViews.member("z", 1, Map.of());
        EstablishedView view = SampleViews.view(number, List.of(other));
        ViewSlot shown = new ViewSlot(1, number, 0, Optional.of(view));
        observations.observed(SampleViews.snapshot(cluster, List.of(), shown), now);
        if (!usable) {
            observations.suspended();
        }
    }

    private Intent removing(boolean leaving, Optional<String> steppingDown, List<String> evictions) {
        return new Intent(
                leaving, steppingDown, Set.copyOf(evictions), intent.suspects(), Optional.empty(), Long.MIN_VALUE, 0);
    }

    private Intent suspecting(List<String> words) {
        Set<Suspect> suspects = words.stream()
                .map(word -> new Suspect(word.replace(":ended", ""), word.endsWith(":ended"), 0))
                .collect(Collectors.toSet());
        return new Intent(
                intent.leaving(), Optional.empty(), intent.evictions(), suspects, Optional.empty(), Long.MIN_VALUE, 0);
    }

    private void leaseProbed(List<String> words) {
        Set<LeaveRecord> leaveRecords = new HashSet<>();
        for (String word : words.subList(1, words.size())) {
            if (word.contains("=")) {
                continue;
            }
            String[] parts = word.split(":");
            leaveRecords.add(new LeaveRecord(
                    parts[0],
                    LeaveRecord.Kind.valueOf(parts[1].toUpperCase(Locale.ROOT)),
                    parts.length > 2 ? parts[2] : parts[0],
                    0));
        }
        Map<String, String> options = options(words);
        Optional<Renewal> last = Optional.ofNullable(options.get("by"))
                .map(node -> new Renewal(node, (int) number(options, "timeout", 9_000)));
        leaseProbe = Optional.of(new LeaseProbe(Long.parseLong(words.get(0)), last, leaveRecords));
    }

    private void policy(Map<String, String> options) {
        policy = new SettlingPolicy(
                number(options, "settle", policy.settleTimeoutMillis()),
                number(options, "quiet", policy.quietMillis()),
                number(options, "regroup", policy.regroupMillis()),
                number(options, "step-in", policy.stepInMillis()),
                SuspendedPolicy.valueOf(
                        options.getOrDefault("suspended", policy.suspended().name())
                                .toUpperCase(Locale.ROOT)),
                policy.quarantine(),
                (int) number(options, "min", policy.minInstances()),
                (int) number(options, "lease", policy.leaseMillis()));
    }

    private void connected(long session, int timeoutMillis) {
        if (session != link().session()) {
            expired();
        }
        observations.connected(session, timeoutMillis, policy.leaseMillis());
    }

    private void suspended() {
        observations.suspended();
        leaseProbe = Optional.empty();
        underWay.clear();
    }

    private void expired() {
        observations.expired();
        leaseProbe = Optional.empty();
        underWay.clear();
    }

    private void member(List<String> words) {
        String node = words.get(0);
        String id = words.get(2);
        boolean own = words.contains("own");
        Map<String, String> options = options(words.subList(3, words.size()));
        String process = options.getOrDefault("process", own ? instance : id);
        long seniority = Long.parseLong(words.get(1));
        long session = number(options, "session", own ? link().session() : seniority);
        long timeout = number(options, "timeout", own ? link().timeoutMillis() : 9_000);
        Map<String, String> properties = own ? offered : new HashMap<>(options);
        if (!own) {
            properties.keySet().removeAll(TRAITS);
        }
        MemberRecord record = new MemberRecord(
                id,
                process(process, options.getOrDefault("home", process)),
                (int) timeout,
                options.containsKey("invalidated-up-to")
                        ? OptionalLong.of(number(options, "invalidated-up-to", 0))
                        : OptionalLong.empty(),
                Optional.ofNullable(options.get("waiting")),
                properties,
                (int) number(options, "format", 1));
        FormatRange known =
                options.containsKey("formats") ? formats(options.get("formats")) : own ? formats : FormatRange.CURRENT;
        members.put(node, new Member(node, seniority, 0, session, known, record));
        blind.remove(node);
        instanceIds.put(node, id);
    }

    private void unreadable(List<String> words) {
        if (words.get(0).equals("view")) {
            slot = new ViewSlot(slot.version() + 1, slot.stamp() + 1, 0, Optional.empty());
            return;
        }
        Map<String, String> options = options(words);
        String node = words.get(0);
        long seniority = Long.parseLong(words.get(1));
        Member before = members.remove(node);
        long session = number(options, "session", before == null ? seniority : before.session());
        instanceIds.putIfAbsent(node, node.substring("m-".length()));
        blind.put(
                node,
                new UnreadableMember(
                        node, seniority, session, formats(options.getOrDefault("formats", "1-1")), "a test"));
    }

    private static FormatRange formats(String range) {
        String[] ends = range.split("-");
        return new FormatRange(Integer.parseInt(ends[0]), Integer.parseInt(ends[1]));
    }

    private void gone(String node) {
        if (members.remove(node) == null && blind.remove(node) == null) {
            throw new IllegalArgumentException("there is no node " + node);
        }
    }

    private void view(List<String> words) {
        long number = Long.parseLong(words.get(0));
        List<Incarnation> incarnations = words.stream()
                .skip(1)
                .filter(word -> !word.contains("="))
                .map(node -> new Incarnation(node, instanceIds.get(node)))
                .toList();
        Map<String, String> options = options(words);
        EstablishedView view = new EstablishedView(
                new ViewHead(
                        number,
                        number(options, "previous", number - 1),
                        number(options, "token", number),
                        (int) number(options, "timeout", 9_000),
                        0,
                        Reason.ofText("a test"),
                        "other"),
                incarnations,
                options.containsKey("out") ? Set.of(options.get("out").split(",")) : Set.of());
        slot = new ViewSlot(slot.version() + 1, Math.max(slot.stamp() + 1, number), 0, Optional.of(view));
    }

    private static Acknowledgement acknowledgement(String word) {
        String[] parts = word.split(":");
        return new Acknowledgement(parts[1], Long.parseLong(parts[0]));
    }

    private void done(String name) {
        Started started = underWay.remove(kind(name));
        observations.recordSuccess(started.request(), started.at(), now);
    }

    private Object kind(String name) {
        return underWay.values().stream()
                .map(Started::request)
                .filter(request -> name(request.getClass()).equals(name))
                .map(Request::kind)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("nothing of the kind is under way: " + name));
    }

    private static String name(Class<? extends Request> kind) {
        return kind.getSimpleName().replaceAll("(?<=[a-z])(?=[A-Z])", "-").toLowerCase(Locale.ROOT);
    }

    private static Map<String, String> options(List<String> words) {
        return words.stream()
                .filter(word -> word.contains("="))
                .map(word -> word.split("=", 2))
                .collect(Collectors.toMap(word -> word[0], word -> word[1]));
    }

    private static long number(Map<String, String> options, String name, long otherwise) {
        return options.containsKey(name) ? Long.parseLong(options.get(name)) : otherwise;
    }

    // Facts

    private static ProcessInfo process(String name) {
        return process(name, name);
    }

    private static ProcessInfo process(String name, String home) {
        return new ProcessInfo("run-" + name, "host-" + home, 1, "/home/" + home, 0);
    }

    private String ownNode() {
        return members.values().stream()
                .filter(member -> member.isOf("run-" + instance) && member.session() == link().session())
                .findFirst()
                .orElseThrow()
                .node();
    }

    private StoreSnapshot snapshot() {
        return new StoreSnapshot(
                cluster,
                formats,
                StoreSnapshot.Live.of(List.copyOf(members.values()), List.copyOf(blind.values())),
                slot,
                collecting ? Optional.of(acknowledgements) : Optional.empty(),
                leaseProbe,
                suspicions,
                List.of());
    }

    private Facts facts() {
        return observations.facts(delivering, new HashSet<>(underWay.keySet()), intent, now);
    }

    // Decisions

    /** Decides until no effect follows, as the engine does, and returns the outcome. */
    List<String> decide() {
        List<String> effects = new ArrayList<>();
        for (int turn = 0; turn < TURNS; turn++) {
            Step step = Protocol.SETTLING.step(state, facts(), policy, now);
            state = step.state();
            step.effects().forEach(effect -> perform(effect, effects));
            boolean asBefore = collecting == step.collect();
            collecting = step.collect();
            if (link().usable()) {
                observe();
            }
            if (step.effects().isEmpty() && asBefore) {
                assertThat(Protocol.SETTLING.step(state, facts(), policy, now))
                        .as("deciding twice on the same facts")
                        .isEqualTo(step);
                return OutcomeWords.outcome(step, effects, now);
            }
        }
        throw new AssertionError("no end of effects: " + effects);
    }

    private void perform(Effect effect, List<String> lines) {
        if (effect instanceof Effect.Ask ask) {
            Started before = underWay.put(ask.request().kind(), new Started(ask.request(), now));
            assertThat(before).as("another request of a kind").isNull();
        }
        lines.addAll(OutcomeWords.of(effect));
    }
}
