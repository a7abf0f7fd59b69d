// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.report;

import java.util.Objects;

/**
 * How far the start of a container is, for a controller that restarts containers one after the other: a container is ready when the next
 * one may be stopped or started.
 *
 * @param stage the stage
 * @param sentence what the container awaits, by name; empty once it has started
 */
public record Startup(Stage stage, String sentence) {

    /** A container, or a part of one, that has started, or has nothing to start. */
    public static final Startup OVER = new Startup(Stage.STARTED, "");

    public Startup {
        Objects.requireNonNull(stage, "stage");
        Objects.requireNonNull(sentence, "sentence");
    }

    /** Says whether the next container may be stopped or started. */
    public boolean isReady() {
        return stage != Stage.STARTING;
    }

    /** How far it is. */
    public enum Stage {
        /** It awaits what can only come when other containers start for the first time, so these must not wait for it. */
        FOUNDING,
        /** It awaits something else; other containers have to stay as they are meanwhile. */
        STARTING,
        /** It has started. */
        STARTED
    }
}
