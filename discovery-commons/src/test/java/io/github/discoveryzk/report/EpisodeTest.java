// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.model.Departure;
import io.github.discoveryzk.model.EstablishedView;
import io.github.discoveryzk.model.HistoryEntry;
import io.github.discoveryzk.model.Incarnation;
import io.github.discoveryzk.model.LeaveRecord;
import io.github.discoveryzk.model.Reason;
import io.github.discoveryzk.model.ReasonCode;
import io.github.discoveryzk.model.ViewDifference;
import io.github.discoveryzk.model.ViewHead;
import io.github.discoveryzk.report.History.Entry;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Transcripts: a history, and the story that is told of it. */
class EpisodeTest {

    /**
     * Each view is the second of its publication, what happened to which instances, and a star if the store had regressed. Each change took 100 ms.
     */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
            0 +a; 1 +b; 2 +c                                   | start of the cluster: a, b, c joined, 0.3 s changing in all
            0 +a+b+c; 9 crashed c; 12 +c                       | crash of c, 0.2 s changing in all < start of the cluster: a, b, c joined, 0.1 s changing
            0 +a+b; 500 +c                                     | c joined, 0.1 s changing < start of the cluster: a, b joined, 0.1 s changing
            0 +a+b+c; 900 stopped c                            | c stopped, 0.1 s changing < *
            0 +a+b+c; 900 stopped c; 1300 +c                   | restart of c, 0.2 s changing in all < *
            0 +a+b+c; 900 stopped c; 1600 +c                   | c joined, 0.1 s changing < c stopped, 0.1 s changing < *
            0 +a+b+c; 900 stopped c; 930 +c; 1200 stopped b; 1240 +b; 1500 stopped a; 1530 +a | rolling restart of c, b, a, 1 change of leader, 0.6 s changing in all < *
            0 +a+b+c; 900 stopped c; 930 +c; 1200 crashed b    | crash of b, 0.1 s changing; not back by then: b < restart of c, 0.2 s changing in all < *
            0 +a+b+c; 900 expired a b c +a+b+c                 | outage of the store: the sessions of a, b, c ended, 0.1 s changing < *
            0 +a+b+c; 900 crashed c; 940 expired a b +b+a; 960 +c | outage of the store: the sessions of a, b ended, 1 change of leader, 0.2 s changing in all < crash of c, 0.1 s changing; not back by then: c < *
            0 +a+b+c; 900 expired a b c +a+b+c; 950 expired a b c +a+b+c | outage of the store: the sessions of a, b, c ended, 0.2 s changing in all < *
            0 +a+b+c; 900 crashed c; 905 +c; 1200 stopped b    | b stopped, 0.1 s changing < crash of c, 0.2 s changing in all < *
            0 +a+b+c+d+e; 900 expired b c +b+c                 | b, c lost the session, 0.1 s changing < *
            0 +a+b+c; 900 expired b c; 905 +c                  | b, c lost the session, 0.2 s changing in all; not back by then: b < *
            0 +a+b+c; 900 expired c; 905 +c                    | c lost the session, 0.2 s changing in all < *
            0 +a+b+c; 900 late b; 905 +b; 940 crashed c; 950 +c | crash of c, 0.2 s changing in all < b excluded: no acknowledgement in time, 0.2 s changing in all < *
            0 +a+b+c; 900 late b; 940 crashed c; 950 +c+b      | b excluded: no acknowledgement in time; crash of c, 0.3 s changing in all < *
            0 +a+b+c; 900 crashed b; 905 +b; 940 crashed c; 950 +c | crash of b, c, 0.4 s changing in all < *
            0 +a+b+c; 900 late a; 905 +a                       | a excluded: no acknowledgement in time, 1 change of leader, 0.2 s changing in all < *
            0 +a+b+c; 900 crashed a; 910 +a                    | crash of a, 1 change of leader, 0.2 s changing in all < *
            0 +a+b+c; 900 died b +b                            | crash of b, 0.1 s changing < *
            0 +a+b+c; 900 evicted b; 901 +b                    | b evicted, 0.2 s changing in all < *
            0 +a+b+c; 900 stepped_down a; 901 +a               | a stepped down, 1 change of leader, 0.2 s changing in all < *
            0 +a+b; 900 crashed b; 910 +b; 920 crashed b; 930 +b; 940 stopped b; 950 +b | b left and joined repeatedly; crash of b; restart of b, 0.6 s changing in all < *
            0 +a+b+c; 900 expired a b c +a+b+c; 930 stopped c; 940 +c; 950 stopped b; 960 +b | outage of the store: the sessions of a, b, c ended; rolling restart of c, b, 0.5 s changing in all < *
            0 +a+b+c; 900 stopped c; 910 +c; 930 stopped b; 940 +b; 950 crashed c; 960 +c | crash of c; rolling restart of c, b, 0.6 s changing in all < *
            0 +a+b+c; 900 stopped c; 910 stopped b; 930 +c     | restart of c; b stopped, 0.3 s changing in all < *
            0 +a+b; 900 stopped b; 910 +b; 930 stopped a; 940 +a; 950 stopped a | a stopped, 0.1 s changing < rolling restart of b, a, 1 change of leader, 0.4 s changing in all < *
            0 +a+b; 900 !                                      | the view was renewed, 0.1 s changing < *
            0 +a+b; 900 *                                      | the store was restored, 0.1 s changing < *
            0 +a+b+c+d+e+f                                     | start of the cluster: 6 instances joined, 0.1 s changing
            """)
    void theStoryOfAHistory(String views, String story) {
        List<String> told = Episode.of(new Transcript().play(views)).stream()
                .map(each -> each.words(InstanceNames.NONE))
                .toList();
        List<String> expected = List.of(story.split(" < "));
        assertThat(told).hasSameSizeAs(expected);
        for (int i = 0; i < told.size(); i++) {
            if (!expected.get(i).equals("*")) {
                assertThat(told.get(i)).isEqualTo(expected.get(i));
            }
        }
    }

    /** Plays what happens, and keeps the history. */
    private static final class Transcript {
        private final List<Entry> entries = new ArrayList<>();
        private final Map<String, Incarnation> members = new LinkedHashMap<>();
        private final Map<String, Integer> lives = new HashMap<>();
        private Optional<EstablishedView> last = Optional.empty();

        History play(String views) {
            for (String view : views.split("; ")) {
                String[] words = view.strip().split(" ", 2);
                publish(Long.parseLong(words[0]) * 1_000, words[1]);
            }
            Collections.reverse(entries);
            return new History(entries, List.of());
        }

        private void publish(long millis, String happened) {
            String leaderBefore = members.keySet().stream().findFirst().orElse("");
            List<Departure> left = new ArrayList<>();
            List<Reason> cause = new ArrayList<>();
            String what = "";
            for (String word : happened.replace("+", " +").strip().split(" +")) {
                if (word.startsWith("+")) {
                    String id = word.substring(1);
                    members.put(id, new Incarnation(id + "-" + lives.merge(id, 1, Integer::sum), id));
                } else if (word.equals("*")) {
                    cause.add(Reason.of(ReasonCode.REGRESSED, 7));
                } else if (word.length() > 1) {
                    what = word;
                } else if (!word.equals("!")) {
                    Incarnation gone = members.remove(word);
                    if (!what.equals("late")) {
                        left.add(new Departure(gone, kind(what), Optional.empty(), 0));
                    }
                }
            }
            long number = last.map(EstablishedView::number).orElse(0L) + 1;
            boolean sameLeader =
                    members.keySet().stream().findFirst().orElse("").equals(leaderBefore)
                            && left.stream()
                                    .noneMatch(
                                            each -> each.member().instanceId().equals(leaderBefore));
            long token = sameLeader ? last.orElseThrow().head().token() : number;
            ViewHead head = new ViewHead(number, number - 1, token, 0, 0, cause, "a");
            EstablishedView view = new EstablishedView(head, List.copyOf(members.values()), Set.of());
            entries.add(
                    new Entry(new HistoryEntry(ViewDifference.between(last, view), left, millis, 100), view.members()));
            last = Optional.of(view);
        }

        private static Optional<LeaveRecord.Kind> kind(String what) {
            return what.equals("expired")
                    ? Optional.empty()
                    : Optional.of(LeaveRecord.Kind.valueOf(what.toUpperCase(Locale.ROOT)));
        }
    }
}
