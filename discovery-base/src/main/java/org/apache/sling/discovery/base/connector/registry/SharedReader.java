// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector.registry;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.sling.discovery.base.connector.wire.Announcement;
import org.apache.sling.discovery.base.connector.wire.AnnouncementCodec;
import org.apache.sling.discovery.base.connector.wire.InvalidMessage;
import org.apache.sling.discovery.base.connector.wire.Message;
import org.apache.sling.discovery.base.connector.wire.Weight;
import org.apache.sling.discovery.base.connector.wire.WireLimits;
import org.apache.sling.discovery.commons.model.Bytes;
import org.apache.sling.discovery.commons.model.SharedAnnouncement;

/**
 * Reads shared announcements. All together take a bounded part of the heap: each is read only as far as there is room, the shortest first.
 * Those for which there is not enough are read without the properties of their instances, or not at all. What this instance holds itself
 * is there as an object already.
 *
 * <p>It is used by one thread at a time, {@link #problems} by any.
 */
final class SharedReader {
    private static final AnnouncementCodec CODEC = new AnnouncementCodec(WireLimits.DEFAULT);
    private static final int MAX_NAMED = 3;

    private final Consumer<String> broken;
    private final long maxBytes;
    private Map<Bytes, Reading> read = Map.of();
    private volatile List<String> problems = List.of();

    /**
     * Begins without announcements.
     *
     * @param broken receives a sentence once for each text that cannot be used
     * @param maxBytes how much memory all announcements may take
     */
    SharedReader(Consumer<String> broken, long maxBytes) {
        this.broken = broken;
        this.maxBytes = maxBytes;
    }

    /** Returns which clusters are not shown completely, in words. */
    List<String> problems() {
        return problems;
    }

    /**
     * Reads announcements; what was read before is not read again.
     *
     * @param own what this instance holds itself, by the bytes that it shares
     * @param usedBefore how much memory others take
     * @return what can be used, by the bytes that are shared
     */
    Map<Bytes, Message> readAll(List<SharedAnnouncement> announcements, Map<Bytes, Announcement> own, long usedBefore) {
        Map<Bytes, Reading> readings = new HashMap<>();
        Map<Extent, List<String>> owners = new EnumMap<>(Extent.class);
        long used = usedBefore;
        List<SharedAnnouncement> ordered = new ArrayList<>(announcements);
        ordered.sort(Comparator.<SharedAnnouncement, Boolean>comparing(each -> !own.containsKey(each.content()))
                .thenComparing(each -> each.content().length()));
        for (SharedAnnouncement each : ordered) {
            if (!readings.containsKey(each.content())) {
                Reading reading = reading(each, own.get(each.content()), Math.max(0, maxBytes - used));
                readings.put(each.content(), reading);
                used += reading.weight();
                owners.computeIfAbsent(reading.extent(), any -> new ArrayList<>())
                        .add(each.ownerId());
            }
        }
        read = readings;
        report(owners);
        return readings.entrySet().stream()
                .filter(each -> each.getValue().message().isPresent())
                .collect(Collectors.toMap(
                        Map.Entry::getKey, each -> each.getValue().message().get()));
    }

    private Reading reading(SharedAnnouncement shared, Announcement held, long room) {
        if (held != null) {
            return new Reading(Extent.WHOLE, Optional.of(Message.of(held, 0)), Weight.of(held), maxBytes);
        }
        return Optional.ofNullable(read.get(shared.content()))
                .filter(each -> each.isFor(room))
                .orElseGet(() -> read(shared, room));
    }

    /** Reads as much of an announcement as there is room for. */
    private Reading read(SharedAnnouncement shared, long room) {
        for (Extent extent : List.of(Extent.WHOLE, Extent.BARE)) {
            try {
                Message found = CODEC.unpack(shared.content().stream(), extent == Extent.WHOLE, room);
                return new Reading(
                        extent,
                        Optional.of(found),
                        Weight.of(found.announcement().orElseThrow()),
                        room);
            } catch (InvalidMessage e) {
                if (e.reason() != InvalidMessage.Reason.UNAVAILABLE) {
                    broken.accept("An announcement of " + shared.ownerId() + " that " + shared.holder()
                            + " shares cannot be used and is ignored: " + e.getMessage());
                    return new Reading(Extent.WHOLE, Optional.empty(), 0, room);
                }
            }
        }
        return new Reading(Extent.NOTHING, Optional.empty(), 0, room);
    }

    private void report(Map<Extent, List<String>> owners) {
        List<String> sentences = new ArrayList<>();
        owners.forEach((extent, which) -> {
            if (extent != Extent.WHOLE) {
                sentences.add("The clusters that "
                        + which.stream().limit(MAX_NAMED).sorted().collect(Collectors.joining(", "))
                        + (which.size() > MAX_NAMED ? " and " + (which.size() - MAX_NAMED) + " more" : "")
                        + " announced to connectors are shown " + extent.how
                        + ": all announcements would take more than " + maxBytes
                        + " bytes of memory. Give this instance a larger heap, or have those clusters offer less.");
            }
        });
        sentences.stream().filter(each -> !problems.contains(each)).forEach(broken);
        problems = List.copyOf(sentences);
    }

    private enum Extent {
        WHOLE(""),
        BARE("without their properties"),
        NOTHING("not at all");

        private final String how;

        Extent(String how) {
            this.how = how;
        }
    }

    /**
     * What was read of an announcement.
     *
     * @param message empty if it cannot be used, or there is no room for it
     * @param room how much room there was for it
     */
    private record Reading(Extent extent, Optional<Message> message, long weight, long room) {

        /** Says whether reading it again would yield the same. */
        boolean isFor(long now) {
            return weight <= now && (extent == Extent.WHOLE || now <= room);
        }
    }
}
