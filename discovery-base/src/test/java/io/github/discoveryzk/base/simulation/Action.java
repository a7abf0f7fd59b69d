// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.simulation;

import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * The disturbances of a simulated cluster. A lost reply on a standing connection is not one of them: the connection is a stream
 * that delivers everything in order or ends.
 */
enum Action {
    START((actions, one) -> actions.start()),
    KILL(Actions::kill),
    CRASH(Actions::crash),
    LEAVE(Actions::leave),
    RESTART((actions, one) -> actions.restart(one, Optional.empty())),
    QUICK_RESTART((actions, one) -> actions.restart(one, Optional.of(one.runtimeId))),
    FLICKER((actions, one) -> actions.flicker()),
    CUT((actions, one) -> actions.cut(one, actions.millis(2L * Actions.SESSION))),
    CUT_ALL((actions, one) -> actions.cutAll(actions.millis(Actions.SESSION))),
    BLINK(Actions::blink),
    EXPIRE((actions, one) -> actions.cut(one, Actions.SESSION + actions.random.nextInt(Actions.SESSION))),
    STALL(Actions::stall),
    PAUSE((actions, one) -> actions.pause(one, actions.millis(3L * Actions.SESSION))),
    END_EARLY(Actions::endEarly),
    STRAND((actions, one) -> actions.strand(one, actions.millis(2L * Actions.SESSION))),
    STUMBLE(Actions::stumble),
    ABANDON_SESSION(Actions::abandonSession),
    END_SESSION(Actions::endSession),
    POLICY(Actions::changePolicy),
    BLIND((actions, one) -> actions.blind(one, actions.any(), actions.millis(4L * Actions.SETTLE))),
    DENY_ONE((actions, one) -> actions.deny(one, actions.millis(3L * Actions.SETTLE))),
    DENY_ALL((actions, one) -> actions.denyAll(actions.millis(Actions.SETTLE))),
    SLOW((actions, one) -> actions.slow(one, 0, actions.millis(1_000))),
    VERY_SLOW((actions, one) -> actions.slow(one, 0, actions.millis(4L * Actions.SETTLE))),
    LISTEN((actions, one) -> one.listen(actions.random.nextInt(5) == 0)),
    UNLISTEN((actions, one) -> one.listeners().stream().findFirst().ifPresent(one::unlisten)),
    LISTEN_AGAIN((actions, one) -> one.listeners().stream().findFirst().ifPresent(one::listenAgain)),
    PROPERTY(Actions::property),
    PROPERTY_BURST(Actions::burst),
    HINT((actions, one) -> actions.hint(actions.any(), one, actions.millis(Actions.SESSION))),
    HINTS((actions, one) -> actions.hints(one, actions.millis(2L * Actions.SESSION))),
    DOUBT(Actions::doubt),
    FORGET((actions, one) -> one.forget()),
    STOP_ALL((actions, one) -> actions.pauseAll(actions.millis(Actions.SESSION))),
    STEP_DOWN(Actions::stepDown),
    LEAD((actions, one) -> actions.lead(one, actions.any())),
    EVICT((actions, one) -> actions.evict(actions.any(), one)),
    DELETE_FOLDERS((actions, one) -> actions.operator.deleteFolders()),
    DELETE_ALL((actions, one) -> actions.operator.deleteAll()),
    SPOIL_VIEW((actions, one) -> actions.operator.spoilView()),
    RESTORE_VIEW((actions, one) -> actions.operator.restore(false)),
    RESTORE_ALL((actions, one) -> actions.operator.restore(true)),
    RESTORE_SERVERS((actions, one) -> actions.operator.restoreServers()),
    OTHERS((actions, one) -> actions.others.change()),
    SHARE((actions, one) -> actions.others.share(one));

    private final BiConsumer<Actions, SimulatedInstance> effect;

    Action(BiConsumer<Actions, SimulatedInstance> effect) {
        this.effect = effect;
    }

    /** Performs it, on an instance where it affects one. */
    void on(Actions actions, SimulatedInstance one) {
        effect.accept(actions, one);
    }
}
