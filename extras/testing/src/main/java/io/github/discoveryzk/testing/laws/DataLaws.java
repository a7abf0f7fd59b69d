// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.testing.laws;

import io.github.discoveryzk.data.Versioned;
import io.github.discoveryzk.data.Written;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The laws of shared data, from the writes that took effect and from what instances were shown. Each write has a text of its own as its
 * value. A place is a value or an entry.
 */
public final class DataLaws {

    private final Laws laws;
    private final Map<String, Attempt> attempts = new HashMap<>();
    private final Map<String, List<Effect>> effects = new HashMap<>();
    private final Set<Long> versions = new HashSet<>();
    private final Map<String, Long> shown = new HashMap<>();

    /** A write as an instance began it, and what became of it. */
    private static final class Attempt {
        private final String place;
        private final long seen;
        private boolean effective;
        private long version;
        private boolean denied;

        private Attempt(String place, long seen) {
            this.place = place;
            this.seen = seen;
        }
    }

    /** A write that took effect; with version 0 it removed what was there. */
    private record Effect(long version, OptionalLong token) {}

    public DataLaws(Laws laws) {
        this.laws = laws;
    }

    /**
     * An instance begins a write.
     *
     * @param text identifies the write
     * @param seen the version that it shall replace, 0 for none
     */
    public void begun(String text, String place, long seen) {
        attempts.put(text, new Attempt(place, seen));
    }

    /**
     * A write takes effect.
     *
     * @param text identifies it; a text that was not begun is not compared with what its instance saw
     * @param replaced the version that stood there, 0 for none
     * @param version its own version, 0 for a removal
     * @param token that of its fence
     * @param leading the token of the last view
     */
    public void tookEffect(
            String text, String place, long replaced, long version, OptionalLong token, OptionalLong leading) {
        Attempt attempt = attempts.get(text);
        List<Effect> before = effects.computeIfAbsent(place, any -> new ArrayList<>());
        laws.check(
                attempt == null || attempt.seen == replaced && attempt.place.equals(place) && !attempt.effective,
                Laws.REGISTER,
                () -> text + " has replaced " + replaced + " of " + place + " and not " + attempt.seen);
        laws.check(
                attempt == null || !attempt.denied,
                Laws.SAID_UNKNOWN,
                () -> text + " takes effect although its instance was told that it does not");
        laws.check(
                token.isEmpty() || token.equals(leading),
                Laws.FENCE,
                () -> text + " takes effect at " + place + " although the last view has " + leading);
        before.add(new Effect(version, token));
        versions.add(version);
        if (attempt != null) {
            attempt.effective = true;
            attempt.version = version;
        }
    }

    /** An instance is told the result of a write that was begun. */
    public void completed(String text, Written<?> result) {
        Attempt attempt = attempts.get(text);
        boolean done = result instanceof Written.Done;
        attempt.denied = !done && !(result instanceof Written.Unknown);
        laws.check(
                done ? attempt.effective : !(attempt.denied && attempt.effective),
                Laws.SAID_UNKNOWN,
                () -> text + " is said to be " + result);
    }

    /** An instance shows something when it is told that a write of its own is done. */
    public void showsOwn(String text, String place, Optional<? extends Versioned<?>> shows) {
        long version = attempts.get(text).version;
        laws.check(
                shows.isPresent() ? shows.get().version() >= version : isReplaced(place, version),
                Laws.OWN_WRITES,
                () -> text + " is version " + version + " of " + place + ", but its instance shows " + shows);
    }

    private boolean isReplaced(String place, long version) {
        List<Effect> all = effects.getOrDefault(place, List.of());
        return all.isEmpty() || all.get(all.size() - 1).version() != version;
    }

    /** An instance shows something; that of one process never goes back. */
    public void shows(String process, String place, Versioned<?> shows) {
        long before = shown.getOrDefault(process + place, 0L);
        laws.check(
                shows.version() >= before && versions.contains(shows.version()),
                Laws.REGISTER,
                () -> process + " shows " + shows + " of " + place + " after version " + before);
        shown.put(process + place, shows.version());
    }

    /**
     * Returns the last version that an earlier leader wrote with its fence, 0 if there is none.
     *
     * @param token that of the leader of the view that an instance has received
     */
    public long inherited(String place, long token) {
        return effects.getOrDefault(place, List.of()).stream()
                .filter(each -> each.token().isPresent() && each.token().getAsLong() < token)
                .mapToLong(Effect::version)
                .max()
                .orElse(0);
    }

    /** Checks what an instance reads after it has received a view. */
    public void reads(String instance, String place, long inherited, Optional<? extends Versioned<?>> read) {
        laws.check(
                inherited == 0 || (read.isPresent() ? read.get().version() >= inherited : isReplaced(place, inherited)),
                Laws.HEIR,
                () -> instance + " reads " + read + " of " + place + " although an earlier leader wrote " + inherited);
    }
}
