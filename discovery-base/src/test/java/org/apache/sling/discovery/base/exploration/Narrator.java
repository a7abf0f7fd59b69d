// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.exploration;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.sling.discovery.base.protocol.Effect;
import org.apache.sling.discovery.base.protocol.Settling;
import org.apache.sling.discovery.base.protocol.Step;
import org.apache.sling.discovery.commons.model.Reason;
import org.apache.sling.discovery.commons.spi.Request;

/** Writes the transcript of one history: a line for each event, followed by the resulting states and effects. */
class Narrator {

    static final Narrator SILENT = new Narrator() {
        @Override
        void writeEvent(World world, Event event) {}

        @Override
        void writeEffect(Player player, Effect effect) {}

        @Override
        void writeState(World world, Player player, Step step) {}
    };

    private final List<String> lines = new ArrayList<>();

    List<String> lines() {
        return lines;
    }

    /** Writes an event that is about to happen. */
    void writeEvent(World world, Event event) {
        if (event.kind() == Event.Kind.TIME) {
            lines.add("time passes from " + world.now() + " to " + world.nextDeadline());
        } else {
            Player player = world.players().get(event.who());
            lines.add(player + " " + event.kind().words() + what(player, event));
        }
    }

    private static String what(Player player, Event event) {
        return switch (event.kind()) {
            case ARRIVE -> ": " + words(player.up.get(0));
            case STRAY -> ": " + words(player.strays.get(0));
            case DELIVER -> ": " + words(player.down.get(0));
            default -> "";
        };
    }

    void writeEffect(Player player, Effect effect) {
        lines.add("    " + player + " " + words(effect));
    }

    void writeState(World world, Player player, Step step) {
        lines.add("    " + player
                + (player.state instanceof Settling.Settled settled
                        ? " is settled on " + Laws.words(settled.held().view())
                                + (settled.held().leads() ? " as its leader" : "") + ", lease until "
                                + player.validUntil
                        : " is changing: "
                                + step.waiting().words(UnaryOperator.identity(), player.localTime(world.now()))));
    }

    private static String words(Effect effect) {
        if (effect instanceof Effect.TellChanging tell) {
            return "tells CHANGING: " + Reason.sentence(tell.why());
        } else if (effect instanceof Effect.TellSettled tell) {
            return "tells " + Laws.words(tell.next().view());
        } else if (effect instanceof Effect.Ask ask) {
            return "asks " + words(ask.request());
        }
        return effect.toString();
    }

    private static String words(Message message) {
        if (message instanceof Message.Ask ask) {
            return words(ask.request());
        } else if (message instanceof Message.Reply reply) {
            return words(reply.request()) + " " + reply.outcome().status();
        } else if (message instanceof Message.Shown shown) {
            return shown(
                    shown.snapshot().members().stream()
                            .map(member -> member.instanceId()
                                    + member.record().voidUpTo().stream()
                                            .mapToObj(number -> " void up to " + (number - 100))
                                            .findFirst()
                                            .orElse(""))
                            .toList()
                            .toString(),
                    shown);
        }
        return message.getClass().getSimpleName().toLowerCase(java.util.Locale.ROOT);
    }

    private static String shown(String members, Message.Shown shown) {
        return "members " + members
                + shown.snapshot().view().map(view -> ", " + Laws.words(view)).orElse("")
                + shown.snapshot()
                        .acknowledgements()
                        .map(all -> ", acknowledged by "
                                + all.stream()
                                        .map(each -> each.node() + ":" + (each.number() - 100))
                                        .sorted()
                                        .toList())
                        .orElse("");
    }

    private static String words(Request request) {
        if (request instanceof Request.Publish publish) {
            return "publish " + Laws.words(publish.next())
                    + (publish.next().leftOut().isEmpty()
                            ? ""
                            : " without " + publish.next().leftOut());
        } else if (request instanceof Request.Acknowledge acknowledge) {
            return "acknowledge " + (acknowledge.number() - 100);
        } else if (request instanceof Request.Update update) {
            return "update"
                    + update.record().voidUpTo().stream()
                            .mapToObj(number -> " void up to " + (number - 100))
                            .findFirst()
                            .orElse("");
        } else if (request instanceof Request.Delete delete) {
            return "delete " + delete.node() + ", "
                    + delete.note().kind().name().toLowerCase(java.util.Locale.ROOT);
        }
        return request.getClass().getSimpleName().toLowerCase(java.util.Locale.ROOT);
    }
}
