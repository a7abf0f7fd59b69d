// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.page;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeParseException;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.sling.discovery.webconsole.format.Times;
import org.apache.sling.discovery.webconsole.query.InvalidParameter;

/**
 * A part of the history by time.
 *
 * @param from the first millisecond since 1970; empty for the beginning
 * @param to the last millisecond; empty for the present
 * @param last the duration until now that was asked for, such as {@code 24h}; empty otherwise, also when a time was given
 * @param zone the time zone in which times are given and shown
 */
record TimeRange(OptionalLong from, OptionalLong to, String last, ZoneId zone) {
    static final String FROM = "from";
    static final String TO = "to";
    static final String LAST = "last";
    static final String ZONE = "zone";

    private static final String EXAMPLE = "2026-11-21T09:30";
    private static final Pattern DURATION = Pattern.compile("([1-9][0-9]{0,5})(min|h|d)");

    /** Returns all times. */
    static TimeRange all(ZoneId zone) {
        return new TimeRange(OptionalLong.empty(), OptionalLong.empty(), "", zone);
    }

    /**
     * Reads the parameters of a request.
     *
     * @param parameter returns the value of a parameter, or the empty text
     * @param times the present time, and the zone of times without one
     */
    static TimeRange of(UnaryOperator<String> parameter, Times times) throws InvalidParameter {
        ZoneId zone = zone(parameter.apply(ZONE), times.zone());
        String last = parameter.apply(LAST);
        OptionalLong from = moment(FROM, parameter.apply(FROM), zone);
        OptionalLong to = moment(TO, parameter.apply(TO), zone);
        if (last.isEmpty() || from.isPresent() || to.isPresent()) {
            return new TimeRange(from, to, "", zone);
        }
        return new TimeRange(OptionalLong.of(times.nowMillis() - duration(last)), to, last, zone);
    }

    private static ZoneId zone(String name, ZoneId otherwise) throws InvalidParameter {
        try {
            return name.isEmpty() ? otherwise : ZoneId.of(name);
        } catch (DateTimeException e) {
            throw new InvalidParameter(ZONE, name, "there is no such time zone", "Europe/Berlin");
        }
    }

    private static long duration(String text) throws InvalidParameter {
        Matcher duration = DURATION.matcher(text);
        if (!duration.matches()) {
            throw new InvalidParameter(LAST, text, "it is not a number of minutes, hours or days", "24h");
        }
        long unit =
                switch (duration.group(2)) {
                    case "min" -> 60_000L;
                    case "h" -> 3_600_000L;
                    default -> 86_400_000L;
                };
        return Long.parseLong(duration.group(1)) * unit;
    }

    private static OptionalLong moment(String parameter, String text, ZoneId zone) throws InvalidParameter {
        if (text.isEmpty()) {
            return OptionalLong.empty();
        }
        try {
            return OptionalLong.of(moment(text.strip().replace(' ', 'T'), zone).toEpochMilli());
        } catch (DateTimeException | ArithmeticException e) {
            throw new InvalidParameter(parameter, text, "it is not a date with a time of the day", EXAMPLE);
        }
    }

    private static Instant moment(String text, ZoneId zone) {
        if (text.indexOf('T') < 0) {
            return LocalDate.parse(text).atStartOfDay(zone).toInstant();
        }
        try {
            return LocalDateTime.parse(text).atZone(zone).toInstant();
        } catch (DateTimeParseException e) {
            return OffsetDateTime.parse(text).toInstant();
        }
    }

    /** Returns whether a time is within the range. */
    boolean includes(long millis) {
        return millis >= from.orElse(Long.MIN_VALUE) && millis <= to.orElse(Long.MAX_VALUE);
    }
}
