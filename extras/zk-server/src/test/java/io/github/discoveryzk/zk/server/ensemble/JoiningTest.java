// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.server.ensemble;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.zk.server.ensemble.Answer.Kind;
import io.github.discoveryzk.zk.server.ensemble.Joining.Step;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who may start without data, by fake answers of the others. */
class JoiningTest {
    private static final Servers SERVERS = Servers.parse("a,b,c");

    /** Adds an answer such as {@code 3 SILENT}, or {@code 1 LEADER of 1 2 3} from a server that serves with those members. */
    private static void add(Map<Integer, Answer> answers, String text) {
        String[] parts = text.split(" of ");
        String[] words = parts[0].split(" ");
        Kind kind = Kind.valueOf(words[1]);
        Set<Integer> members = Stream.of(parts)
                .skip(1)
                .flatMap(all -> Stream.of(all.split(" ")))
                .map(Integer::valueOf)
                .collect(Collectors.toSet());
        answers.put(Integer.valueOf(words[0]), members.isEmpty() ? Answer.of(kind) : new Answer(kind, 7, members));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1 EMPTY | '' | START | ''",
                // A new ensemble needs all servers, and all of them know before one starts.
                "1 EMPTY | 2 EMPTY, 3 SILENT | STAY_EMPTY | no answer came from server 3 (c:2181)",
                "1 EMPTY | 2 EMPTY, 3 EMPTY | FORM | ''",
                "2 EMPTY | 1 FORMING, 3 EMPTY | FORM | ''",
                "1 FORMING | 2 FORMING, 3 EMPTY | FORM | ''",
                "1 FORMING | 2 FORMING, 3 FORMING | START | ''",
                "2 FORMING | 1 NOT_SERVING, 3 FORMING | START | ''",
                "2 FORMING | 1 SILENT, 3 FORMING | START | ''",
                "2 FORMING | 1 MUTE, 3 FORMING | FORM | ''",
                "2 EMPTY | 1 MUTE, 3 EMPTY | STAY_EMPTY | ''",
                // One that has lost its data does not vote.
                "2 EMPTY | 1 NOT_SERVING, 3 SILENT | START_WITHOUT_VOTE | ''",
                "2 EMPTY | 1 LEADER of 1 2 3, 3 SILENT | START_WITHOUT_VOTE | ''",
                // An ensemble of one grows by one server; a second one at the same moment is refused.
                "2 EMPTY | 1 LEADER of 1, 3 SILENT | JOIN | ''",
                "3 EMPTY | 1 LEADER of 1, 2 SILENT | JOIN | ''",
                "3 EMPTY | 1 LEADER of 1, 2 EMPTY | STAY_EMPTY | Refused for now: server 2 (b:2181) is joining",
                "3 EMPTY | 1 LEADER of 1, 2 FORMING | STAY_EMPTY | Refused for now: server 2 (b:2181) is joining",
                "3 EMPTY | 1 LEADER of 1, 2 NOT_SERVING | STAY_EMPTY | Refused for now: server 2 (b:2181) is joining",
                "3 EMPTY | 1 LEADER of 1, 2 MUTE | STAY_EMPTY | Refused for now: server 2 (b:2181) is joining",
                "2 EMPTY | 1 LEADER of 1, 3 EMPTY | JOIN | ''",
                "2 EMPTY | 1 LEADER of 1, 3 NOT_SERVING | STAY_EMPTY | ''",
                // While the first one restarts none votes.
                "3 EMPTY | 1 SILENT, 2 SILENT | STAY_EMPTY | ''",
                "3 EMPTY | 1 SILENT, 2 EMPTY | STAY_EMPTY | ''",
                "3 EMPTY | 1 SILENT, 2 NOT_SERVING | START_WITHOUT_VOTE | ''",
                // The second one joins when the ensemble lists it.
                "3 EMPTY | 1 LEADER of 1 2 3, 2 FOLLOWER of 1 2 3 | START_WITHOUT_VOTE | ''",
                // The first one waits for another one, and its answer says so.
                "1 GROWING | 2 SILENT, 3 SILENT | GROW | waits for one of the servers 2 (b:2181), 3 (c:2181)",
                "1 GROWING | 2 EMPTY, 3 SILENT | GROW | ''",
                "2 EMPTY | 1 GROWING, 3 EMPTY | JOIN | ''",
                "3 EMPTY | 1 GROWING, 2 EMPTY | STAY_EMPTY | ''",
                "1 GROWING | 2 NOT_SERVING, 3 EMPTY | START | ''"
            })
    void decidesWhoStarts(String own, String others, Step step, String words) {
        Map<Integer, Answer> answers = new TreeMap<>();
        Stream.of(others.split(", ")).filter(each -> !each.isEmpty()).forEach(each -> add(answers, each));
        String[] parts = own.split(" ");
        Joining joining = Joining.decide(SERVERS, Integer.parseInt(parts[0]), Kind.valueOf(parts[1]), answers);
        assertThat(joining.step()).isEqualTo(step);
        assertThat(joining.sentence()).contains(words);
        boolean hasData = others.contains("NOT_SERVING") || others.contains(" LEADER") || others.contains("GROWING");
        assertThat(joining.founds()).isEqualTo(!hasData || own.contains("GROWING") || step == Step.START);
    }
}
