// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.server.ensemble;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.zk.server.ensemble.OwnEntry.Busy;
import io.github.discoveryzk.zk.server.ensemble.OwnEntry.Carries;
import io.github.discoveryzk.zk.server.ensemble.OwnEntry.ClientOnly;
import io.github.discoveryzk.zk.server.ensemble.OwnEntry.Refused;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;

class OwnEntryTest {
    private static final Servers HOSTS = Servers.parse("a,b,c");
    private static final Servers LOOPBACK = Servers.parse("127.0.0.1:2181,127.0.0.1:2182,127.0.0.1:2183");

    /** A machine with some entries as its own, of which some are in use. */
    private record FakeMachine(Set<Integer> own, Set<Integer> used, Set<Integer> loopback, Set<Integer> unknown)
            implements Machine {
        private FakeMachine(Set<Integer> own, Set<Integer> used) {
            this(own, used, Set.of(), Set.of());
        }

        @Override
        public Optional<String> address(Entry entry) {
            return Optional.of("192.0.2." + entry.id()).filter(any -> !unknown.contains(entry.id()));
        }

        @Override
        public boolean has(Entry entry) {
            return own.contains(entry.id());
        }

        @Override
        public List<Integer> busy(Entry entry) {
            return used.contains(entry.id()) ? List.of(entry.quorum()) : List.of();
        }

        @Override
        public boolean isLoopback(Entry entry) {
            return loopback.contains(entry.id());
        }
    }

    private static OwnEntry choose(Servers servers, Machine machine, int... remembered) {
        return OwnEntry.choose(
                servers,
                machine,
                remembered.length == 0 ? OptionalInt.empty() : OptionalInt.of(remembered[0]),
                "/data");
    }

    @Test
    void theEntryWithAnAddressOfThisMachine() {
        assertThat(choose(HOSTS, new FakeMachine(Set.of(2), Set.of()))).isEqualTo(new Carries(HOSTS.entry(2)));
    }

    @Test
    void entriesOfOneMachineAreToldApartByFreePorts() {
        FakeMachine machine = new FakeMachine(Set.of(1, 2, 3), Set.of(1), Set.of(1, 2, 3), Set.of());
        assertThat(choose(LOOPBACK, machine)).isEqualTo(new Carries(LOOPBACK.entry(2)));
    }

    @Test
    void theChoiceIsRemembered() {
        FakeMachine machine = new FakeMachine(Set.of(1, 2, 3), Set.of(), Set.of(1, 2, 3), Set.of());
        assertThat(choose(LOOPBACK, machine, 3)).isEqualTo(new Carries(LOOPBACK.entry(3)));
    }

    @Test
    void aMachineWithoutAnEntryIsAClient() {
        assertThat(choose(HOSTS, new FakeMachine(Set.of(), Set.of())))
                .isInstanceOfSatisfying(
                        ClientOnly.class, client -> assertThat(client.taken()).isEmpty());
    }

    @Test
    void whenAllPortsAreTakenItIsAClient() {
        assertThat(choose(HOSTS, new FakeMachine(Set.of(2), Set.of(2))))
                .isInstanceOfSatisfying(
                        ClientOnly.class, client -> assertThat(client.taken()).containsExactly(HOSTS.entry(2)));
    }

    @Test
    void foreignDataIsNamed() {
        assertThat(choose(HOSTS, new FakeMachine(Set.of(2), Set.of()), 1))
                .isInstanceOfSatisfying(Refused.class, refused -> assertThat(refused.sentence())
                        .contains("/data", "server 1", "no address of this machine"));
        assertThat(choose(HOSTS, new FakeMachine(Set.of(2), Set.of()), 4))
                .isInstanceOfSatisfying(Refused.class, refused -> assertThat(refused.sentence())
                        .contains("server 4, and the list has 3"));
    }

    /** Names of machines that have just started follow late. */
    @Test
    void aNameThatIsUnknownOrOldIsLookedUpAgain() {
        FakeMachine unnamed = new FakeMachine(Set.of(), Set.of(), Set.of(), Set.of(1, 2, 3));
        assertThat(choose(HOSTS, unnamed, 1)).isInstanceOfSatisfying(Busy.class, busy -> assertThat(busy.sentence())
                .contains("server 1, whose name a", "looked up again"));
        assertThat(choose(HOSTS, new FakeMachine(Set.of(2), Set.of()), 1))
                .isInstanceOfSatisfying(Refused.class, refused -> assertThat(refused.sentence())
                        .contains("name a has the address 192.0.2.1", "looked up again"));
    }

    @Test
    void twoServersWithOneIdAreNamed() {
        assertThat(choose(HOSTS, new FakeMachine(Set.of(2), Set.of(2)), 2))
                .isInstanceOfSatisfying(Busy.class, busy -> assertThat(busy.sentence())
                        .contains("Ports 2888 of server", "in use", "two servers have the same id"));
    }

    @Test
    void aNameThatIsLoopbackHereCannotBeReachedByOthers() {
        FakeMachine machine = new FakeMachine(Set.of(1), Set.of(), Set.of(1), Set.of(3));
        assertThat(choose(HOSTS, machine))
                .isInstanceOfSatisfying(
                        Refused.class, refused -> assertThat(refused.sentence()).contains("a:2181", "/etc/hosts"));
    }

    @Test
    void thisMachineKnowsItsAddressesAndPorts() throws Exception {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            Entry used = Entry.parse(1, "127.0.0.1:" + socket.getLocalPort() + ":1:2");
            assertThat(Machine.THIS.has(used)).isTrue();
            assertThat(Machine.THIS.isLoopback(used)).isTrue();
            assertThat(Machine.THIS.busy(used)).containsExactly(socket.getLocalPort());
        }
        Entry free = Entry.parse(1, "127.0.0.1:" + OwnServerTest.freePorts());
        assertThat(Machine.THIS.busy(free)).isEmpty();
        try (Claim claim = Claim.of(free).orElseThrow()) {
            assertThat(claim.lock().isOpen()).isTrue();
            assertThat(Machine.THIS.busy(free)).hasSize(3);
            assertThat(Claim.of(free)).isEmpty();
        }
        assertThat(Machine.THIS.busy(free)).isEmpty();
        Entry other = Entry.parse(1, "192.0.2.1:2181");
        assertThat(Machine.THIS.has(other)).isFalse();
        assertThat(Machine.THIS.isLoopback(other)).isFalse();
        assertThat(Machine.THIS.address(Entry.parse(1, "name.invalid"))).isEmpty();
        assertThat(Machine.THIS.has(Entry.parse(1, "name.invalid"))).isFalse();
    }
}
