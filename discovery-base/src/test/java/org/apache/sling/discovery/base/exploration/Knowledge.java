// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.exploration;

import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.apache.sling.discovery.base.protocol.Observations;
import org.apache.sling.discovery.commons.model.MemberRecord;
import org.apache.sling.discovery.commons.spi.Request;

/**
 * The {@link Observations} of an instance as a value: each change is made to a copy. Reads the fields by reflection, because a
 * copy must be complete and equal observations must be recognised. A field that is unknown here is an error, so that none is
 * forgotten.
 */
final class Knowledge {

    /** The last reply only matters to policies with a time for regrouping, which no scope has, and the candidates follow from the snapshot; so a fingerprint omits both. */
    private static final List<String> KNOWN = List.of(
            "own",
            "link",
            "snapshot",
            "candidates",
            "confirmations",
            "acknowledged",
            "renewals",
            "renewalsSince",
            "highest",
            "lastReply");

    private static final Field[] FIELDS = fields();
    private static final Field ACKNOWLEDGED = field("acknowledged");
    private static final Field RENEWALS = field("renewals");

    private final Observations observations;

    Knowledge(MemberRecord own) {
        this(new Observations(own));
    }

    private Knowledge(Observations observations) {
        this.observations = observations;
    }

    Observations read() {
        return observations;
    }

    Knowledge with(Consumer<Observations> change) {
        try {
            Observations copy = new Observations(null);
            for (Field field : FIELDS) {
                field.set(copy, field.get(observations));
            }
            change.accept(copy);
            return new Knowledge(copy);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    @SuppressWarnings("unchecked")
    Optional<Request.Acknowledge> acknowledged() {
        return (Optional<Request.Acknowledge>) value(ACKNOWLEDGED);
    }

    OptionalLong renewals() {
        return (OptionalLong) value(RENEWALS);
    }

    private Object value(Field field) {
        try {
            return field.get(observations);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Field[] fields() {
        Field[] fields = Arrays.stream(Observations.class.getDeclaredFields())
                .filter(field -> !field.isSynthetic())
                .toArray(Field[]::new);
        List<String> names = Arrays.stream(fields).map(Field::getName).toList();
        if (!names.equals(KNOWN)) {
            throw new IllegalStateException("the explorer does not know all of " + names);
        }
        Arrays.stream(fields).forEach(field -> field.setAccessible(true));
        return fields;
    }

    private static Field field(String name) {
        return Arrays.stream(FIELDS)
                .filter(field -> field.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
