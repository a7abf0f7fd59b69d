// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.exploration;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import org.apache.sling.discovery.base.protocol.Effect;
import org.apache.sling.discovery.base.protocol.Settling;
import org.apache.sling.discovery.base.protocol.Step;
import org.apache.sling.discovery.commons.model.EstablishedView;
import org.apache.sling.discovery.commons.model.Incarnation;
import org.apache.sling.discovery.commons.model.Member;
import org.apache.sling.discovery.commons.model.Reason;
import org.apache.sling.discovery.commons.spi.Request;

/** Writes the transcript of one history: a line for each event, followed by the resulting states and effects. */
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
            lines.add("    " + player + " " + words(effect));
        }
    }

    void writeState(World world, Player player, Step step) {
        if (speaks) {
            lines.add("    " + player
                    + (player.state instanceof Settling.Settled settled
                            ? " is settled on " + words(settled.held().view())
                                    + (settled.held().leads() ? " as its leader" : "") + ", lease until "
                                    + player.validUntil
                            : " is changing: "
                                    + step.waiting().words(UnaryOperator.identity(), player.localTime(world.now()))));
        }
    }

    /** Says what an effect, a message or a request is about. */
    private static String words(Object what) {
        if (what instanceof Effect.TellChanging tell) {
            return "tells CHANGING: " + Reason.sentence(tell.why());
        } else if (what instanceof Effect.TellSettled tell) {
            return "tells " + words(tell.next().view());
        } else if (what instanceof Effect.Ask ask) {
            return "asks: " + words(ask.request());
        } else if (what instanceof Message.Ask ask) {
            return words(ask.request());
        } else if (what instanceof Message.Reply reply) {
            return words(reply.request()) + " " + reply.outcome().status();
        } else if (what instanceof Message.Shown shown) {
            return "members "
                    + shown.snapshot().members().stream()
                            .map(Member::instanceId)
                            .toList() + " " + shown.snapshot().view().map(Narrator::words) + ", acknowledged: "
                    + shown.snapshot().acknowledgements();
        } else if (what instanceof EstablishedView view) {
            return "view " + view.number() + " "
                    + view.members().stream().map(Incarnation::instanceId).toList();
        } else if (what instanceof Request.Publish publish) {
            return "publish " + words(publish.next()) + " without "
                    + publish.next().leftOut();
        } else if (what instanceof Request.Announce || what instanceof Message.Hello) {
            return what.getClass().getSimpleName().toLowerCase(Locale.ROOT);
        }
        return what.toString();
    }
}
