// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.benchmarks;

import java.io.IOException;

/** Leaves no process and no data behind, however this program ends. */
@ThreadsAndClocks
final class ExitHook {

    private ExitHook() {}

    static void install() {
        Runtime.getRuntime().addShutdownHook(new Thread(ExitHook::run, "end"));
    }

    private static void run() {
        JavaProcess.endAll();
        try {
            Folders.deleteTemporary();
        } catch (IOException e) {
            System.err.println("Data cannot be deleted: " + e);
        }
    }
}
