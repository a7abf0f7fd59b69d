// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.exploration;

import io.github.discoveryzk.base.protocol.Effect;
import io.github.discoveryzk.base.protocol.OutcomeWords;
import io.github.discoveryzk.base.protocol.Step;
import io.github.discoveryzk.model.Member;
import io.github.discoveryzk.model.StoreSnapshot;
import io.github.discoveryzk.spi.Request;
import java.util.ArrayList;
import java.util.List;

/** Writes the transcript of one history: a line for each event, followed by the resulting effects and states. */
final class Narrator {

    static final Narrator SILENT = new Narrator(false);

    private final boolean speaks;
    private final List<String> lines = new ArrayList<>();

    Narrator() {
        this(true);
    }

    private Narrator(boolean speaks) {
        this.speaks = speaks;
    }

    List<String> lines() {
        return lines;
    }

    /** Writes an event that is about to happen. */
    void writeEvent(World world, Event event) {
        if (speaks && event.kind() == Event.Kind.TIME) {
            lines.add("time passes from " + world.now() + " to " + world.nextDeadline());
        } else if (speaks) {
            Player player = world.players().get(event.who());
            String what =
                    switch (event.kind()) {
                        case ARRIVE -> ": " + words(player.up.get(0));
                        case STRAY -> ": " + words(player.strays.get(0));
                        case DELIVER -> ": " + words(player.down.get(0));
                        default -> "";
                    };
            lines.add(player + " " + event.kind().words() + what);
        }
    }

    void writeEffect(Player player, Effect effect) {
        if (speaks) {
            OutcomeWords.of(effect).forEach(line -> lines.add("    " + player + line));
        }
    }

    void writeState(World world, Player player, Step step) {
        if (speaks) {
            OutcomeWords.outcome(step, List.of(), player.localTime(world.now()))
                    .forEach(line -> lines.add("    " + player + " " + line));
        }
    }

    /** Says what a message or a request is about. */
    private static String words(Object what) {
        if (what instanceof Message.Ask ask) {
            return words(ask.request());
        } else if (what instanceof Message.Reply reply) {
            return words(reply.request()) + " " + reply.outcome().status();
        } else if (what instanceof Message.Shown shown) {
            StoreSnapshot seen = shown.snapshot();
            return "members " + seen.members().stream().map(Member::instanceId).toList() + ", view "
                    + seen.view().map(view -> view.number()) + ", acknowledged: " + seen.acknowledgements();
        }
        return what instanceof Request request
                ? OutcomeWords.of(new Effect.Ask(request)).get(0).strip()
                : what.getClass().getSimpleName();
    }
}
