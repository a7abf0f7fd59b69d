// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.chaos.recorder;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.sling.discovery.commons.report.Operator;
import org.osgi.util.tracker.ServiceTracker;

/**
 * The commands of a driver for a process: lines in a file, executed one after the other, each answered by a line {@code did} of
 * the recording. For one thread.
 */
final class Commands {

    private final Path commands;
    private final RecordingFile file;
    private final ServiceTracker<?, Operator> operators;
    private final Churn churn;
    private final Property property;
    private int done;

    Commands(Path commands, RecordingFile file, ServiceTracker<?, Operator> operators, Churn churn, Property property) {
        this.commands = commands;
        this.file = file;
        this.operators = operators;
        this.churn = churn;
        this.property = property;
    }

    /** Executes the lines that were written to the file since the last call. */
    void run() throws IOException, InterruptedException {
        if (!Files.exists(commands)) {
            return;
        }
        String text = Files.readString(commands);
        List<String> whole =
                text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
        while (done < whole.size()) {
            String command = whole.get(done);
            done++;
            file.line("did", System.nanoTime(), command, carryOut(command.split(" ")));
        }
    }

    private String carryOut(String[] words) throws InterruptedException {
        Operator operator = operators.getService();
        switch (words[0]) {
            case "standdown":
                return operator == null ? "no operator" : operator.standDown().sentence();
            case "evict":
                return operator == null
                        ? "no operator"
                        : operator.evict(words[1]).sentence();
            case "properties":
                property.burst(Integer.parseInt(words[1]), Long.parseLong(words[2]));
                return "";
            case "listeners":
                churn.run(Integer.parseInt(words[1]), Long.parseLong(words[2]), Long.parseLong(words[3]));
                return "";
            default:
                throw new IllegalArgumentException("no command: " + String.join(" ", words));
        }
    }
}
