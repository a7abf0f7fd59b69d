// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.properties;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.apache.sling.discovery.PropertyProvider;
import org.junit.jupiter.api.Test;

class PropertyCollectionTest {

    private final Deque<Runnable> questions = new ArrayDeque<>();
    private final AtomicLong clock = new AtomicLong(1_000);
    private final List<Map<String, String>> published = new ArrayList<>();
    private final PropertyCollection collection = new PropertyCollection(questions::add, clock::get, published::add);

    private void answer() {
        while (!questions.isEmpty()) {
            questions.poll().run();
        }
    }

    private Map<String, String> properties() {
        answer();
        return published.isEmpty() ? Map.of() : published.get(published.size() - 1);
    }

    private void add(PropertyProvider provider, int ranking, long serviceId, String... names) {
        collection.add(new PropertySource.Registration(provider, "provider " + serviceId, ranking, serviceId, names));
    }

    @Test
    void collectsFromAllProvidersAndHigherRankingWinsAndThenTheLowerServiceId() {
        add(name -> "ranking 0, id 5", 0, 5, "p", "q", "r");
        add(name -> "ranking 0, id 4", 0, 4, "p", "q");
        add(name -> "ranking 7, id 9", 7, 9, "p");

        assertThat(properties())
                .isEqualTo(Map.of("p", "ranking 7, id 9", "q", "ranking 0, id 4", "r", "ranking 0, id 5"));
        assertThat(collection.problems()).isEmpty();
    }

    @Test
    void aProviderWithoutAValueLeavesTheNameToTheNext() {
        add(name -> null, 7, 1, "p");
        add(name -> "from the other", 0, 2, "p");

        assertThat(properties()).isEqualTo(Map.of("p", "from the other"));
    }

    @Test
    void oneThatFailsCostsItsOwnPropertyOnlyAsLongAsItFails() {
        Throwable[] failure = {new NoClassDefFoundError("thrown on purpose")};
        PropertyProvider failing = name -> {
            if (name.equals("bad") && failure[0] instanceof Error error) {
                throw error;
            }
            return "fine";
        };
        add(failing, 0, 1, "good", "bad");
        add(name -> "fine too", 0, 3, "other");
        assertThat(properties()).isEqualTo(Map.of("good", "fine", "other", "fine too"));
        assertThat(collection.problems()).singleElement().asString().contains("provider 1", "bad", "on purpose");

        failure[0] = null;
        collection.refresh();
        assertThat(properties()).containsEntry("bad", "fine");
        assertThat(collection.problems()).isEmpty();
    }

    @Test
    void aFailureOfOneThatIsRemovedMeanwhileIsNoProblem() {
        PropertySource[] source = new PropertySource[1];
        PropertyProvider stopped = name -> {
            source[0].close();
            throw new IllegalStateException("thrown on purpose");
        };
        source[0] = new PropertySource(
                new PropertySource.Registration(stopped, "provider 1", 0, 1, "p"),
                questions::add,
                clock::get,
                () -> published.add(Map.of()));
        source[0].refresh();
        answer();
        assertThat(source[0].problems(5_000)).isEmpty();
        assertThat(published).isEmpty();
    }

    @Test
    void afterTheEndNoProviderIsCalledOrNeedsAThread() {
        add(name -> "1", 0, 1, "p");
        assertThat(properties()).isEqualTo(Map.of("p", "1"));

        collection.close();
        collection.refresh();
        add(name -> "2", 0, 2, "q");
        assertThat(questions).isEmpty();
        assertThat(properties()).isEqualTo(Map.of("p", "1"));
    }

    @Test
    void illegalNamesAreReportedAndNotAskedFor() {
        List<String> asked = new ArrayList<>();
        PropertyProvider asking = name -> {
            asked.add(name);
            return "1";
        };
        add(asking, 0, 1, "p", "not legal");

        assertThat(properties()).isEqualTo(Map.of("p", "1"));
        assertThat(asked).containsExactly("p");
        assertThat(collection.problems()).singleElement().asString().contains("not legal");
    }

    @Test
    void oneThatHangsKeepsTheOthersGoingAndIsReported() {
        List<String> during = new ArrayList<>();
        CompletableFuture<?>[] first = new CompletableFuture<?>[1];
        PropertyProvider hanging = name -> {
            // Runs while this call has not returned.
            clock.addAndGet(4_000);
            assertThat(collection.problems()).isEmpty();
            clock.addAndGet(2_000);
            answer();
            assertThat(published).contains(Map.of("q", "1"));
            assertThat(first[0]).isNotDone();
            during.addAll(collection.problems());
            return "late";
        };
        add(hanging, 0, 1, "p");
        add(name -> "1", 0, 2, "q");
        first[0] = collection.firstAnswers();

        assertThat(properties()).isEqualTo(Map.of("p", "late", "q", "1"));
        assertThat(during).singleElement().asString().contains("provider 1", "5 s");
        assertThat(collection.problems()).isEmpty();
        assertThat(first[0]).isCompleted();
    }

    @Test
    void isAskedAgainAfterAQuestionThatCameWhileItWasBusy() {
        List<String> answers = new ArrayList<>(List.of("1", "2", "3"));
        PropertyProvider busy = name -> {
            if (answers.size() == 3) {
                collection.refresh();
                collection.refresh();
            }
            return answers.remove(0);
        };
        add(busy, 0, 1, "p");

        assertThat(properties()).isEqualTo(Map.of("p", "2"));
        assertThat(answers).containsExactly("3");
    }

    @Test
    void equalAnswersAreNotPublishedAgainAndOneQuestionIsOpenAtATime() {
        add(name -> "1", 0, 1, "p");
        answer();
        int before = published.size();
        for (int i = 0; i < 10; i++) {
            collection.refresh();
        }
        assertThat(questions).hasSize(1);
        answer();

        assertThat(published).hasSize(before);
    }

    @Test
    void aModifiedRegistrationDropsWhatItDoesNotOfferAnyMore() {
        PropertyProvider provider = name -> "1";
        add(provider, 0, 1, "p", "q");
        assertThat(properties()).containsOnlyKeys("p", "q");
        add(provider, 0, 1, "q", "r");
        assertThat(properties()).containsOnlyKeys("q", "r");

        add(name -> "2", 3, 2, "q");
        assertThat(properties()).containsEntry("q", "2");
        add(provider, 5, 1, "q", "r");
        assertThat(properties()).as("by another ranking").containsEntry("q", "1");
    }

    @Test
    void aModifiedRegistrationKeepsTheOldValueUntilTheNewOneIsThere() {
        String[] value = {"old"};
        PropertyProvider provider = name -> value[0];
        add(provider, 0, 1, "p");
        answer();
        value[0] = "new";
        add(provider, 0, 1, "p");
        add(name -> "1", 0, 2, "q");
        questions.pollLast().run();
        assertThat(published.get(published.size() - 1)).isEqualTo(Map.of("p", "old", "q", "1"));

        assertThat(properties()).isEqualTo(Map.of("p", "new", "q", "1"));
    }

    /** Bytes count and not characters. */
    @Test
    void whatDoesNotFitIsExcludedAndNamed() {
        String large = "ä".repeat(PropertyCollection.LIMIT_BYTES / 3);
        add(name -> name.equals("small") ? "1" : large, 0, 1, "first", "second", "small");

        assertThat(properties()).containsOnlyKeys("first", "small");
        assertThat(collection.usedBytes()).isEqualTo("firstsmall1".length() + 2 * large.length());
        assertThat(collection.oversized()).singleElement().asString().contains("second", "omitted");
        assertThat(collection.problems()).isEmpty();
    }

    /** One sentence, however many there are. */
    @Test
    void ofTooManyTheLastOnesAreExcludedAndCounted() {
        String[] names = IntStream.range(0, PropertyCollection.LIMIT_COUNT + 7)
                .mapToObj(i -> String.format("p%05d", i))
                .toArray(String[]::new);
        add(name -> "", 0, 1, names);

        assertThat(properties()).hasSize(PropertyCollection.LIMIT_COUNT).containsKeys("p00000", "p00999");
        assertThat(collection.oversized())
                .singleElement()
                .asString()
                .contains("7 of 1007 properties", "p01000 (6 bytes)", "and 2 more", "409600 bytes", "1000 of them");
    }

    @Test
    void longNamesAreNamedByTheirBeginning() {
        String longest = "n".repeat(200);
        add(name -> "1", 0, 1, longest, "n".repeat(100_000));
        assertThat(properties()).containsOnlyKeys(longest);
        assertThat(collection.problems())
                .singleElement()
                .asString()
                .hasSizeLessThan(400)
                .contains("100000 characters", "1 to 200 letters");
    }
}
