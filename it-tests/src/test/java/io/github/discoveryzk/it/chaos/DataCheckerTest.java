// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.it.chaos.recorder.Entry;
import io.github.discoveryzk.it.chaos.recorder.Entry.Answered;
import io.github.discoveryzk.it.chaos.recorder.Entry.Attempted;
import io.github.discoveryzk.it.chaos.recorder.Entry.Shown;
import io.github.discoveryzk.testing.laws.LawBroken;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** For each law of shared data a run that breaks it: the checker must report that law and no other. */
class DataCheckerTest {

    /** Words of writes: instance, time, place, seen version, text, result, version, token of the fence. */
    private static final String CLEAN = "a 110 progress 0 p1 Done 101 10; a 120 register 0 r1 Done 102;"
            + "a 130 claim 0 mine Done 103; c 140 set0 0 e1 Done 104; b 150 list - one Done 106;"
            + "b 310 progress 101 p2 Done 201 11; b 311 register 102 r2 Done 202; b 312 list - two Done 203;"
            + "c 210 claim = 103 mine; c 305 register = 102 r1; c 320 register = 202 r2; c 320 list = 203 one two;";

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
        a clean run                 |                   | c 330 list = 203 one two
        two writes replace one      | L18 Register      | c 330 register 102 lost Done 210
        two writes have one version | L18 Register      | c 330 register 102 r3 Unknown 0; c 340 register = 202 r3
        a removal and a creation    |                   | c 330 set0 104 removal Unknown 0; b 340 set0 0 e3 Done 210
        a creation over an entry    | L18 Register      | b 330 set0 0 e3 Done 210
        an entry created again      | L18 Register      | c 330 set0 104 removal Done 0; c 331 set0 0 e3 Done 210; b 332 set0 104 e4 Done 211
        a write after a removal     | L18 Register      | c 330 set0 104 removal Done 0; b 340 set0 104 e3 Done 210
        two removals of one version | L18 Register      | c 330 set0 104 removal Done 0; b 340 set0 104 removal2 Done 0
        a deleted tree              |                   | deleted 330; c 340 register 0 r3 Done 210; c 350 list = 211 three
        a smaller version later     | L18 Register      | b 330 list - three Done 211; b 340 list - four Done 210
        an older version again      | L18 Register      | c 330 register = 102 r1
        an older version than own   | L19 Own writes    | b 330 register = 102 r1
        a leader of the past        | L20 Fence         | a 330 progress 201 p3 Done 210 10
        a refused write             | L23 Said unknown  | a 330 register 202 r3 Refused 0; c 340 register = 210 r3
        an unknown write            |                   | a 330 register 202 r3 Unknown 0; c 340 register = 210 r3
        a lost reply that is Done   | L23 Said unknown  | a 330 register 202 r3 Done 0
        an overtaken append         | L23 Said unknown  | b 330 list - three Overtaken 0; c 340 list = 203 one three two
        an unknown append           |                   | b 330 list - three Unknown 0; c 340 list = 203 one three two
        a lost append               | L18 Register      | b 330 list - three Done 210; c 340 list = 210 one three
        lost appends                | L18 Register      | c 330 list = 203 two
        an append that is there twice | L18 Register    | c 330 list = 203 one two two
        a claim for a while         |                   | c 330 claim = 103 mine
        a claim without its owner   | L22 Owned         | c 330 claim = 103 mine; c 340 claim = 103 mine
        """)
    void reportsTheBrokenLaw(String what, String law, String change) {
        ForgedRun run = new ForgedRun();
        for (String operation : (CLEAN + change).split(";")) {
            add(run, operation.trim().split(" "));
        }
        assertThat(DataChecker.check(run.recording).stream().map(LawBroken::law).distinct())
                .isEqualTo(law == null ? List.of() : List.of(law));
    }

    private static void add(ForgedRun run, String... words) {
        long at = Long.parseLong(words[1]);
        if (words[0].equals("deleted")) {
            run.addWindow(at, at, at, at + 1, ForgedRun.ANY, true);
            return;
        }
        String process = ForgedRun.process(words[0]);
        String place = words[2].replace("claim", Entry.CLAIMS + ForgedRun.process("a"));
        if (words[3].equals("=")) {
            List<String> texts = List.of(words).subList(5, words.length);
            // An entry without an owner is shown for a while.
            for (int i = 0; i < 3; i++) {
                run.recording.add(
                        new Shown(process, at + i, at < 300 ? 10 : 11, place, texts, Long.parseLong(words[4])));
            }
        } else {
            long seen = words[3].equals("-") ? Entry.NEVER : Long.parseLong(words[3]);
            long token = words.length > 7 ? Long.parseLong(words[7]) : 0;
            run.recording.add(new Attempted(process, at, place, words[4], seen, token));
            run.recording.add(new Answered(process, at + 1, words[4], words[5], Long.parseLong(words[6])));
        }
    }
}
