// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.chaos;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/** Faults of the servers of the ensemble. */
sealed interface ServerFault extends Fault {

    /** One server is parted from the others; its clients stay connected to it. */
    record ServerParted(int server, Duration hold) implements ServerFault {
        @Override
        public End begin(Fleet fleet) {
            fleet.ensemble().part(server);
            return () -> {
                fleet.ensemble().join(server);
                fleet.ensemble().awaitServing();
            };
        }
    }

    /** Each server is stopped and started again, one after the other. */
    record RollingRestart() implements ServerFault {
        @Override
        public End begin(Fleet fleet) throws Exception {
            for (ServerProcess server : fleet.ensemble().servers()) {
                server.stop();
                server.start();
                fleet.ensemble().awaitServing();
            }
            return () -> {};
        }
    }

    /** All servers are killed and started again after a while. */
    record AllServersDown(Duration hold) implements ServerFault {
        @Override
        public End begin(Fleet fleet) {
            fleet.ensemble().servers().forEach(ServerProcess::kill);
            return () -> {
                for (ServerProcess server : fleet.ensemble().servers()) {
                    server.start();
                }
                fleet.ensemble().awaitServing();
            };
        }
    }

    /** A server loses its disk and starts with an empty one. */
    record DiskLost(int server) implements ServerFault {
        @Override
        public End begin(Fleet fleet) throws Exception {
            ServerProcess lost = fleet.ensemble().server(server);
            lost.kill();
            lost.wipe();
            lost.start();
            return fleet.ensemble()::awaitServing;
        }
    }

    /** A server is paused for a while. */
    record ServerPaused(int server, Duration hold) implements ServerFault {
        @Override
        public End begin(Fleet fleet) throws Exception {
            Pause pause = fleet.ensemble().server(server).pause();
            return () -> {
                pause.close();
                fleet.ensemble().awaitServing();
            };
        }
    }

    /** Some servers, which may be a majority, take longer for each write before they acknowledge it. */
    record SlowDisks(int first, int count, Duration each, Duration hold) implements ServerFault {
        @Override
        public End begin(Fleet fleet) throws Exception {
            for (ServerProcess server : servers(fleet)) {
                server.slowDisk(each);
            }
            return () -> {
                for (ServerProcess server : servers(fleet)) {
                    server.slowDisk(Duration.ZERO);
                }
                fleet.ensemble().awaitServing();
            };
        }

        private List<ServerProcess> servers(Fleet fleet) {
            return IntStream.range(first, first + count)
                    .mapToObj(i -> fleet.ensemble().server(i % Ensemble.SIZE))
                    .toList();
        }
    }
}
