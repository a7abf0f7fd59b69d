// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.connectors.registry;

import io.github.discoveryzk.connectors.registry.SharedClusters.SharedContent;
import io.github.discoveryzk.connectors.wire.Announcement.Weight;
import io.github.discoveryzk.connectors.wire.AnnouncementCodec;
import io.github.discoveryzk.connectors.wire.InvalidMessage;
import io.github.discoveryzk.connectors.wire.Message;
import io.github.discoveryzk.connectors.wire.WireLimits;
import io.github.discoveryzk.model.Bytes;
import io.github.discoveryzk.model.SharedAnnouncement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Reads shared announcements. All together take a bounded part of the heap: each is read only as far as there is room, the shortest first.
 * Those for which there is not enough are read without the properties of their instances, or not at all.
 *
 * <p>It is used by one thread at a time, {@link #problems} by any.
 */
final class SharedReader {

    private static final AnnouncementCodec CODEC = new AnnouncementCodec(WireLimits.DEFAULT);
    private static final int MAX_NAMED = 3;

    private final Consumer<String> broken;
    private final long maxBytes;
    private Map<Source, Reading> read = Map.of();
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
     * @param usedBefore how much memory others take
     * @return those that can be used
     */
    List<SharedContent> readAll(List<SharedAnnouncement> announcements, long usedBefore) {
        Map<Source, Reading> readings = new HashMap<>();
        List<SharedContent> contents = new ArrayList<>();
        long used = usedBefore;
        List<SharedAnnouncement> shortestFirst = new ArrayList<>(announcements);
        shortestFirst.sort(Comparator.comparing(each -> each.content().length()));
        for (SharedAnnouncement each : shortestFirst) {
            Source source = new Source(each.ownerId(), each.content());
            if (!readings.containsKey(source)) {
                Reading reading = reading(source, each.holder(), Math.max(0, maxBytes - used));
                readings.put(source, reading);
                used += reading.weight();
            }
            readings.get(source)
                    .message()
                    .ifPresent(message -> contents.add(new SharedContent(
                            each.holder(),
                            each.ownCluster(),
                            message.announcement().orElseThrow(),
                            message.backoffSeconds())));
        }
        read = readings;
        report();
        return contents;
    }

    private Reading reading(Source source, String holder, long room) {
        Reading before = read.get(source);
        return before != null && before.isFor(room) ? before : read(source, holder, room);
    }

    /** Reads as much of an announcement as there is room for. */
    private Reading read(Source source, String holder, long room) {
        for (Extent extent : List.of(Extent.WHOLE, Extent.BARE)) {
            try {
                Message found = CODEC.unpack(source.content().stream(), extent == Extent.WHOLE, room);
                if (!found.ownerId().equals(source.ownerId())) {
                    throw new InvalidMessage(InvalidMessage.Reason.MALFORMED, "it is of " + found.ownerId());
                }
                long weight = Weight.of(found.announcement().orElseThrow());
                return new Reading(extent, Optional.of(found), weight, room);
            } catch (InvalidMessage e) {
                if (e.reason() != InvalidMessage.Reason.UNAVAILABLE) {
                    broken.accept("An announcement of " + source.ownerId() + " that " + holder
                            + " shares cannot be used and is ignored: " + e.getMessage());
                    return new Reading(Extent.WHOLE, Optional.empty(), 0, room);
                }
            }
        }
        return new Reading(Extent.NOTHING, Optional.empty(), 0, room);
    }

    private void report() {
        List<String> sentences = new ArrayList<>();
        for (Extent extent : List.of(Extent.BARE, Extent.NOTHING)) {
            List<String> owners = read.keySet().stream()
                    .filter(each -> read.get(each).extent() == extent)
                    .map(Source::ownerId)
                    .sorted()
                    .toList();
            if (!owners.isEmpty()) {
                sentences.add("The clusters that "
                        + owners.stream().limit(MAX_NAMED).collect(Collectors.joining(", "))
                        + (owners.size() > MAX_NAMED ? " and " + (owners.size() - MAX_NAMED) + " more" : "")
                        + " announced to connectors are shown "
                        + (extent == Extent.BARE ? "without their properties" : "not at all")
                        + ": all announcements would take more than " + maxBytes
                        + " bytes of memory. Give this instance a larger heap, or have those clusters offer less.");
            }
        }
        sentences.stream().filter(each -> !problems.contains(each)).forEach(broken);
        problems = List.copyOf(sentences);
    }

    private record Source(String ownerId, Bytes content) {}

    private enum Extent {
        WHOLE,
        /** Without properties. */
        BARE,
        NOTHING
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
