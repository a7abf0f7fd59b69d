// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.data;

import io.github.discoveryzk.base.data.Entries.Entry;
import io.github.discoveryzk.data.DataKind;
import io.github.discoveryzk.data.Fence;
import io.github.discoveryzk.data.Registration;
import io.github.discoveryzk.data.Versioned;
import io.github.discoveryzk.data.Written;
import io.github.discoveryzk.model.DataAddress;
import io.github.discoveryzk.model.DataRecord;
import io.github.discoveryzk.spi.DataStore;
import io.github.discoveryzk.spi.DataStore.Stored;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The local copy of what is at an address, and the claims of this instance there. Contents and replies of the store are processed in their
 * order, one after the other, on threads that may wait: neither the store's thread nor that of decisions decodes anything.
 */
abstract class Copy<T> implements Consumer<DataStore.Content> {

    private static final int VALUE_BYTES = 64 * 1024;
    private static final int ENTRIES = 1_000;
    private static final int ATTEMPTS = 20;
    private static final String NO_MEMBER = "This instance is not a member of the cluster at the moment.";

    final DataAddress address;
    final DataKind<T> kind;
    private final DataService service;
    private final List<Mailbox<Map<String, Versioned<T>>>> listeners = new CopyOnWriteArrayList<>();

    private final Batches tasks;

    /**
     * What the store has reported last over a connection. What it replaces before it is processed need not be. Without a connection the
     * store reports entries of before, and some that this instance has written since may be missing.
     */
    private volatile DataStore.Content reported;

    private volatile Shown<T> shown = new Shown<>(false, false, Map.of(), List.of());

    /** These belong to the tasks. */
    private final Entries<T> entries;

    private final List<Runnable> replies = new ArrayList<>();
    private boolean changed;

    private boolean followed;
    private List<String> problems = List.of();
    private final Map<String, T> claims = new HashMap<>();
    /** What is being written, until that is over. */
    private final Map<String, CompletableFuture<Void>> claiming = new HashMap<>();

    /** The member node of this instance by which an entry was claimed. */
    private final Map<String, String> claimed = new HashMap<>();

    /** What applications see; it is begun when something was known once. */
    private record Shown<T>(boolean begun, boolean known, Map<String, Versioned<T>> entries, List<String> problems) {}

    Copy(DataAddress address, DataKind<T> kind, DataService service) {
        this.address = address;
        this.kind = kind;
        this.service = service;
        this.entries = new Entries<>(address, kind, service::grow);
        this.tasks = new Batches(service.calls(), this::show);
    }

    public final boolean isKnown() {
        return shown.known();
    }

    public Map<String, Versioned<T>> entries() {
        return shown.entries();
    }

    /** Returns about as many bytes as it has in the store. */
    int bytes() {
        return entries.bytes();
    }

    List<String> problems() {
        return shown.problems();
    }

    @Override
    public void accept(DataStore.Content content) {
        if (content.known()) {
            reported = content;
        }
        tasks.run(() -> {
            if (!content.known() || content == reported) {
                followed = content.known();
                problems = content.problems();
                changed = true;
            }
            if (content == reported) {
                entries.replace(content.entries());
            }
        });
    }

    void observeMembers() {
        tasks.run(() -> changed = true);
    }

    private void put(String key, Optional<Stored> stored) {
        changed |= entries.replace(key, stored);
    }

    /** Replies come after what they are about is shown. */
    private void show() {
        if (changed) {
            changed = false;
            showEntries();
        }
        List<Runnable> due = List.copyOf(replies);
        replies.clear();
        due.forEach(Runnable::run);
    }

    /** Shows what there is now of members that are there, and claims again what is missing. */
    private void showEntries() {
        List<String> found =
                Stream.concat(problems.stream(), entries.problems()).toList();
        Map<String, Versioned<T>> visible = entries.visible(service.members().live());
        Shown<T> before = shown;
        shown = new Shown<>(
                before.begun() || followed,
                followed && found.isEmpty(),
                visible.equals(before.entries()) ? before.entries() : Collections.unmodifiableMap(visible),
                found);
        if (shown.begun() && (!before.begun() || shown.entries() != before.entries())) {
            listeners.forEach(each -> each.put(shown.entries()));
        }
        if (followed) {
            List.copyOf(claims.keySet()).stream()
                    .filter(key -> !isClaimed(key) && !claiming.containsKey(key))
                    .forEach(this::claim);
        }
    }

    private boolean isThere(Entry<T> entry) {
        return entry.isThere(service.members().live());
    }

    /** Says whether an entry has been claimed with the present membership. It is not claimed again if another client deletes it. */
    private boolean isClaimed(String key) {
        return Optional.ofNullable(claimed.get(key)).equals(service.members().self());
    }

    /** Says whether the entry was written by the present membership of this instance. */
    private boolean isMine(String key) {
        return entries.get(key).flatMap(Entry::owner).equals(service.members().self());
    }

    final Registration add(Consumer<? super Map<String, Versioned<T>>> listener) {
        Mailbox<Map<String, Versioned<T>>> added = new Mailbox<>(listener, service.calls());
        tasks.run(() -> {
            listeners.add(added);
            if (shown.begun()) {
                added.put(shown.entries());
            }
        });
        return () -> {
            added.close();
            listeners.remove(added);
        };
    }

    public CompletionStage<Optional<Versioned<T>>> read(String key) {
        CompletableFuture<Optional<Versioned<T>>> result = new CompletableFuture<>();
        service.read(address, key)
                .whenComplete((stored, thrown) -> tasks.run(() -> {
                    if (thrown != null) {
                        Throwable cause = thrown instanceof CompletionException ? thrown.getCause() : thrown;
                        replies.add(() -> result.completeExceptionally(cause));
                        return;
                    }
                    put(key, stored);
                    replies.add(() -> completeRead(result, entries.get(key)));
                }));
        return result;
    }

    private void completeRead(CompletableFuture<Optional<Versioned<T>>> result, Optional<Entry<T>> entry) {
        entry.filter(each -> !each.problem().isEmpty())
                .ifPresent(each -> result.completeExceptionally(new IllegalArgumentException(each.problem())));
        result.complete(entry.filter(this::isThere).flatMap(Entry::value));
    }

    /** Writes an entry, or removes it, if it is what was seen. */
    CompletionStage<Written<T>> write(String key, Optional<Versioned<T>> seen, Optional<T> next, Fence... fences) {
        OptionalLong version = seen.stream().mapToLong(Versioned::version).findFirst();
        return write(key, version, next, false, fences);
    }

    private CompletionStage<Written<T>> write(
            String key, OptionalLong seen, Optional<T> next, boolean owned, Fence... fences) {
        Optional<T> value = next.map(kind::of);
        int size = value.map(Entries::bytesOf).orElse(0);
        if (size > VALUE_BYTES) {
            return refused("The value has " + size + " bytes; at most " + VALUE_BYTES + " are shared.");
        }
        if (seen.isEmpty() && shown.entries().size() >= ENTRIES) {
            return refused("The " + address + " has " + ENTRIES + " entries, which is the most.");
        }
        return write(key, seen, value, owned, ATTEMPTS, fences);
    }

    private CompletionStage<Written<T>> write(
            String key, OptionalLong seen, Optional<T> next, boolean owned, int attempts, Fence... fences) {
        Optional<String> self = service.members().self();
        if (self.isEmpty()) {
            return refused(NO_MEMBER);
        }
        Conditions conditions;
        try {
            conditions = Conditions.of(self.get(), fences);
        } catch (IllegalArgumentException e) {
            return refused(e.getMessage());
        }
        Optional<DataRecord> record = next.map(each -> new DataRecord(
                kind.name(), each, service.instanceId(), conditions.token(), owned ? self : Optional.empty()));
        DataStore.Write write =
                new DataStore.Write(address, key, seen, record, self.get(), conditions.ledView(), conditions.proof());
        CompletableFuture<Written<T>> result = new CompletableFuture<>();
        service.write(write).thenAccept(reply -> {
            service.count(reply.outcome());
            tasks.run(() -> {
                Written<T> written = written(key, reply);
                replies.add(() -> result.complete(written));
            });
        });
        return conditions.proof().isEmpty() || attempts == 1
                ? result
                : result.thenCompose(written -> written instanceof Written.Refused
                        ? conditions
                                .isOutdated()
                                .thenCompose(outdated -> outdated
                                        ? write(key, seen, next, owned, attempts - 1, fences)
                                        : CompletableFuture.completedFuture(written))
                        : CompletableFuture.completedFuture(written));
    }

    private static <T> CompletionStage<Written<T>> refused(String why) {
        return CompletableFuture.completedFuture(new Written.Refused<>(why));
    }

    private Written<T> written(String key, DataStore.Result reply) {
        return switch (reply.outcome().status()) {
            case DONE -> new Written.Done<>(present(key, reply));
            case OVERTAKEN -> new Written.Overtaken<>(present(key, reply));
            case REJECTED -> new Written.Refused<>(reply.outcome().detail());
            case UNKNOWN -> new Written.Unknown<>(reply.outcome().detail());
        };
    }

    private Optional<Versioned<T>> present(String key, DataStore.Result reply) {
        put(key, reply.now());
        return entries.get(key).flatMap(Entry::value);
    }

    public CompletionStage<Written<T>> own(String key, T value) {
        CompletableFuture<Written<T>> result = new CompletableFuture<>();
        T copied = kind.of(value);
        tasks.run(() -> {
            claims.put(key, copied);
            claim(key).thenAccept(written -> {
                if (written instanceof Written.Refused) {
                    claims.remove(key);
                }
                result.complete(written);
            });
        });
        return result;
    }

    /**
     * Writes a claim over an entry of this instance, or of a member that has gone. It ends if another member has the entry, and nothing else ends it: the
     * nodes of this instance and of the entry may go and come back, one before the other.
     */
    private CompletionStage<Written<T>> claim(String key) {
        Optional<String> self = service.members().self();
        if (self.isEmpty()) {
            return CompletableFuture.completedFuture(
                    new Written.Unknown<>(NO_MEMBER + " The entry is written as soon as it is one."));
        }
        CompletableFuture<Void> over = new CompletableFuture<>();
        claiming.put(key, over);
        Optional<Entry<T>> before = entries.get(key);
        OptionalLong seen = before.filter(entry -> isMine(key) || !isThere(entry)).stream()
                .mapToLong(Entry::version)
                .findFirst();
        return write(key, seen, Optional.of(claims.get(key)), true).thenApply(written -> {
            claiming.remove(key, over);
            boolean isTaken = entries.get(key).filter(this::isThere).isPresent() && !isMine(key);
            if (written instanceof Written.Done) {
                claimed.put(key, self.get());
            } else if (written instanceof Written.Overtaken && isTaken) {
                claims.remove(key);
            } else if (written instanceof Written.Overtaken) {
                claimed.remove(key);
                tasks.run(() -> changed = true);
                over.complete(null);
                return new Written.Unknown<>("No other member has the entry. It is written again.");
            }
            over.complete(null);
            return written;
        });
    }

    public CompletionStage<Written<T>> disown(String key) {
        CompletableFuture<Written<T>> result = new CompletableFuture<>();
        tasks.run(() -> {
            claims.remove(key);
            // A claim that is being written would come after the removal.
            claiming.getOrDefault(key, CompletableFuture.completedFuture(null))
                    .thenRun(() -> tasks.run(() -> release(key).thenAccept(result::complete)));
        });
        return result;
    }

    private CompletionStage<Written<T>> release(String key) {
        return isMine(key) && !claims.containsKey(key)
                ? write(key, OptionalLong.of(entries.get(key).orElseThrow().version()), Optional.empty(), false)
                : CompletableFuture.completedFuture(new Written.Done<>(Optional.empty()));
    }
}
