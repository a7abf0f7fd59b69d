// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.protocol;

import io.github.discoveryzk.model.EstablishedView;
import io.github.discoveryzk.model.HistoryEntry;
import io.github.discoveryzk.model.Incarnation;
import io.github.discoveryzk.model.LeaveRecord;
import io.github.discoveryzk.model.MemberRecord;
import io.github.discoveryzk.model.Reason;
import io.github.discoveryzk.model.Suspicion;
import io.github.discoveryzk.spi.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** The lines in which a transcript states what an instance does and waits for. */
public final class OutcomeWords {

    /** The usual session timeout of transcripts, which is not written. */
    private static final int SESSION_TIMEOUT = 9_000;

    private OutcomeWords() {}

    /** Returns what an instance does after a step, and what it waits for. */
    public static List<String> outcome(Step step, List<String> effects, long now) {
        List<String> lines = new ArrayList<>();
        if (step.state() instanceof Settling.Settled settled) {
            lines.add("settled on view " + settled.held().number() + ", lease until " + step.leaseEnd());
        } else {
            lines.add("changing: " + step.waiting().words(UnaryOperator.identity(), now));
        }
        lines.addAll(effects);
        if (step.collect()) {
            lines.add("  collect acknowledgements");
        }
        if (step.wakeAt() != Long.MAX_VALUE) {
            lines.add("  wake at " + step.wakeAt());
        }
        return lines;
    }

    private static String shown(HeldView held) {
        return "view " + held.number() + ": "
                + held.members().stream()
                        .map(member -> member.instanceId()
                                + (member.record().properties().isEmpty()
                                        ? ""
                                        : new TreeMap<>(member.record().properties())))
                        .collect(Collectors.joining(", "));
    }

    /** Returns what an instance tells its listeners or requests from the store. */
    public static List<String> of(Effect effect) {
        if (effect instanceof Effect.NotifyChanging tell) {
            return List.of("  tell changing, from view " + tell.last().number() + ": " + Reason.sentence(tell.why()));
        } else if (effect instanceof Effect.NotifySettled tell) {
            return List.of("  tell settled on " + shown(tell.next()));
        } else if (effect instanceof Effect.NotifyProperties tell) {
            return List.of("  tell properties of " + shown(tell.next()));
        }
        return asked(((Effect.Ask) effect).request());
    }

    private static List<String> asked(Request request) {
        if (request instanceof Request.Announce announce) {
            return List.of("  ask announce" + words(announce.record()));
        } else if (request instanceof Request.Update update) {
            return List.of("  ask update " + update.node() + words(update.record()));
        } else if (request instanceof Request.Delete delete) {
            return List.of("  ask delete " + words(delete.leaveRecord()));
        } else if (request instanceof Request.Acknowledge acknowledge) {
            return List.of("  ask acknowledge " + acknowledge.number() + " by " + acknowledge.node());
        } else if (request instanceof Request.Suspect suspect) {
            return List.of("  ask suspect " + words(suspect.suspicion()));
        } else if (request instanceof Request.Refute refute) {
            return List.of("  ask refute " + words(refute.suspicion()));
        } else if (request instanceof Request.Withdraw withdraw) {
            return List.of("  ask withdraw " + words(withdraw.suspicion()));
        } else if (request instanceof Request.Convict convict) {
            return List.of("  ask convict " + words(convict.leaveRecord()));
        } else if (request instanceof Request.Probe) {
            return List.of("  ask probe");
        } else if (request instanceof Request.ProbeLease) {
            return List.of("  ask probe-lease");
        } else if (request instanceof Request.Renew renew) {
            return List.of("  ask renew by " + renew.node() + " over version " + renew.slotVersion()
                    + (renew.sessionTimeoutMillis() == SESSION_TIMEOUT
                            ? ""
                            : ", timeout " + renew.sessionTimeoutMillis()));
        }
        return published((Request.Publish) request);
    }

    private static String words(Suspicion suspicion) {
        return suspicion.node() + " by " + suspicion.by();
    }

    private static String words(LeaveRecord leaveRecord) {
        return leaveRecord.node() + ", " + leaveRecord.kind().name().toLowerCase(Locale.ROOT)
                + (leaveRecord.by().equals(leaveRecord.node()) ? "" : " by " + leaveRecord.by())
                + (leaveRecord.afterMillis() == 0 ? "" : " after " + leaveRecord.afterMillis() + " ms");
    }

    private static String words(MemberRecord record) {
        return " " + record.instanceId() + " timeout " + record.sessionTimeoutMillis()
                + (record.invalidatedUpTo().isPresent()
                        ? " invalidated up to " + record.invalidatedUpTo().getAsLong()
                        : "")
                + record.waitingFor()
                        .map(listeners -> " waiting for " + listeners)
                        .orElse("")
                + (record.format() == 1 ? "" : " in format " + record.format())
                + (record.properties().isEmpty() ? "" : " " + new TreeMap<>(record.properties()));
    }

    private static List<String> published(Request.Publish publish) {
        EstablishedView view = publish.next();
        HistoryEntry entry = publish.entry();
        List<String> lines = new ArrayList<>();
        lines.add("  ask publish " + view.number() + " after " + view.previous() + ": " + nodes(view.members()));
        lines.add("    by " + publish.node() + " over version " + publish.expectedVersion() + ", token " + view.token()
                + (publish.format() == 1 ? "" : ", in format " + publish.format())
                + (view.sessionTimeoutMillis() == SESSION_TIMEOUT ? "" : ", timeout " + view.sessionTimeoutMillis())
                + (publish.renewal().sessionTimeoutMillis() == SESSION_TIMEOUT
                        ? ""
                        : ", lease by " + publish.renewal().sessionTimeoutMillis()));
        publish.renewals()
                .ifPresent(known -> lines.add("    provided that the lease still has " + known + " renewals"));
        lines.add("    because " + Reason.sentence(view.cause()));
        lines.add("    after " + entry.changingMillis() + " ms"
                + named(", joined ", nodes(entry.difference().joined())) + named(", left ", left(entry))
                + named(", excluded ", String.join(", ", entry.late().keySet())));
        if (!publish.heard().isEmpty()) {
            lines.add("    removes leave records "
                    + publish.heard().stream().map(OutcomeWords::words).sorted().collect(Collectors.joining("; ")));
        }
        if (!view.excluded().isEmpty()) {
            lines.add("    excluded for good: "
                    + view.excluded().stream().sorted().collect(Collectors.joining(" ")));
        }
        return lines;
    }

    private static String named(String label, String text) {
        return text.isEmpty() ? "" : label + text;
    }

    private static String left(HistoryEntry entry) {
        return entry.left().stream().map(each -> each.member().node()).collect(Collectors.joining(" "));
    }

    private static String nodes(List<Incarnation> incarnations) {
        return incarnations.stream().map(Incarnation::node).collect(Collectors.joining(" "));
    }
}
