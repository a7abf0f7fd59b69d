// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.it.chaos.recorder.Entry.Begun;
import io.github.discoveryzk.it.chaos.recorder.Entry.Ended;
import io.github.discoveryzk.it.chaos.recorder.Entry.Progressed;
import io.github.discoveryzk.it.chaos.recorder.Entry.Worked;
import io.github.discoveryzk.testing.laws.LawBroken;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** For each law of work a run that breaks it: the checker must report that law and no other. */
class WorkCheckerTest {

    /** The words of what the workers of a and b record: instance, time, what it is, token; all is about one key. In view 11 a has gone. */
    private static final String CLEAN =
            "b 110 begin 1; b 115 held 1; b 120 end 1; a 125 begin 2; a 130 write 2 Done 130;"
                    + "a 140 held 2; a 145 held 2; a 260 held 2; b 310 begin 3; b 315 write 3 Done 315; b 340 held 3;";

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
        a clean run              |                   | a 345 write 2 Refused 0
        a begin before an end    | L25 One worker    | c 341 begin 4; b 342 end 3
        a begin after an end     |                   | b 341 end 3; c 342 begin 4
        a zombie that does not begin |               | zombie 350 begin 2
        a worker that goes on    | L25 One worker    | a 341 held 2
        ... and was evicted      |                   | evicted 305; a 341 held 2
        ... and its tree deleted |                   | deleted 305; a 341 held 2
        a token that falls       | L26 Work's token  | b 341 end 3; c 350 begin 2
        a token that repeats     | L26 Work's token  | b 341 end 3; c 350 begin 3
        a late write             | L20 Fence         | a 350 write 2 Done 350
        a key without an owner   | L29 Live work     | window 9000000000
        """)
    void reportsTheBrokenLaw(String what, String law, String change) {
        ForgedRun run = new ForgedRun();
        for (String operation : (CLEAN + change).split(";")) {
            add(run, operation.trim().split(" "));
        }
        assertThat(WorkChecker.check(run.recording).stream().map(LawBroken::law).distinct())
                .isEqualTo(law == null ? List.of() : List.of(law));
    }

    private static void add(ForgedRun run, String... words) {
        String process = ForgedRun.process(words[0]);
        long at = Long.parseLong(words[1]);
        if (words.length == 2) {
            run.addWindow(words[0], at, at + 10, at + 20, at + 40, ForgedRun.ANY, words[0].equals("deleted"));
            return;
        }
        long token = Long.parseLong(words[3]);
        run.recording.add(
                switch (words[2]) {
                    case "begin" -> new Begun(process, at, "m-" + words[0], "k", token, !words[0].equals("zombie"));
                    case "end" -> new Ended(process, at, "k", token);
                    case "held" -> new Worked(process, at, List.of("k=" + token));
                    default -> new Progressed(process, at, at + 1, "k", token, words[4], Long.parseLong(words[5]));
                });
    }
}
