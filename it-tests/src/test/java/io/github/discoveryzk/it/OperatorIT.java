// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it;

import static io.github.discoveryzk.it.outside.Limit.untilAsserted;
import static org.apache.sling.discovery.TopologyEvent.Type.TOPOLOGY_CHANGED;
import static org.apache.sling.discovery.TopologyEvent.Type.TOPOLOGY_CHANGING;
import static org.apache.sling.discovery.TopologyEvent.Type.TOPOLOGY_INIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.ops4j.pax.exam.CoreOptions.options;

import io.github.discoveryzk.it.cluster.PlainInstance;
import io.github.discoveryzk.leader.LeaderLease;
import io.github.discoveryzk.report.Operator;
import org.junit.Before;
import org.junit.Test;
import org.ops4j.pax.exam.Option;

/** The actions of an operator on the order of a cluster, by the service and by shell commands. */
public class OperatorIT extends ContainerTest {

    @Override
    protected Option[] more() {
        return options(Setup.shell());
    }

    @Before
    public void settleAlone() {
        untilAsserted(() -> {
            assertThat(container().topology().isCurrent()).isTrue();
            assertThat(container().members()).containsExactly(ID);
        });
    }

    private void untilOrder(PlainInstance peer, String... order) {
        untilAsserted(() -> {
            assertThat(container().topology().isCurrent()).isTrue();
            assertThat(container().members()).containsExactly(order);
            assertThat(peer.isCurrent()).isTrue();
            assertThat(peer.members()).containsExactly(order);
        });
    }

    private void untilLease(boolean there) {
        untilAsserted(() ->
                assertThat(container().find(LeaderLease.class).isPresent()).isEqualTo(there));
    }

    private Operator.Result evict(String instance) {
        return container().ask(Operator.class, operator -> operator.evict(instance));
    }

    @Test
    public void anInstanceThatStepsDownRejoinsAtTheEndAndDoesNotLead() {
        untilLease(true);
        try (PlainInstance peer = join("peer")) {
            untilOrder(peer, ID, "peer");
            LeaderLease lease = LeaderLease.of(container().topology()).orElseThrow();
            Recorder recorder = new Recorder();
            container().register(recorder);
            recorder.awaitEvents(TOPOLOGY_INIT);

            assertThat(container().ask(Operator.class, Operator::stepDown).sentence())
                    .contains(ID + " steps down");
            untilOrder(peer, "peer", ID);
            recorder.awaitEvents(TOPOLOGY_INIT, TOPOLOGY_CHANGING, TOPOLOGY_CHANGED);
            recorder.assertGrammar();
            untilLease(false);
            assertThat(lease.isHeld()).isFalse();
            // Leaving and rejoining may be two views, and a late listener receives the second one only.
            assertThat(peer.history()).anyMatch(text -> text.contains(ID + " stepped down"));

            // The peer leads and is evicted: the container leads again, under another token.
            assertThat(evict("peer").sentence()).contains("peer (node m-", "is being evicted by " + ID);
            untilOrder(peer, ID, "peer");
            untilLease(true);
            assertThat(LeaderLease.of(container().topology()).orElseThrow().token())
                    .isGreaterThan(lease.token());
            assertThat(peer.history()).anyMatch(text -> text.contains("peer was evicted by " + ID));
        }
    }

    @Test
    public void theCommandsOfAShellDoTheSame() {
        try (PlainInstance peer = join("peer")) {
            untilOrder(peer, ID, "peer");
            try (Terminal terminal = new Terminal(container())) {
                assertThat(terminal.fail("discovery:evict unknown")).startsWith("no instance is evicted");
                assertThat(terminal.fail("evict")).contains("evict");
                assertThat(terminal.run("stepdown")).contains(ID + " steps down");
                untilOrder(peer, "peer", ID);
                assertThat(terminal.run("evict peer")).startsWith("peer (node m-");
                untilOrder(peer, ID, "peer");
                assertThat(terminal.fail("discovery:lead unknown")).startsWith("no instance is made the leader");
                assertThat(terminal.run("lead peer")).startsWith("peer is to lead. Still senior to it: " + ID);
                untilOrder(peer, "peer", ID);
                assertThat(terminal.fail("lead peer")).contains("peer leads already");
            }
        }
    }

    @Test
    public void aShellShowsTheContentOfThePage() {
        try (PlainInstance peer = join("peer");
                Terminal terminal = new Terminal(container())) {
            untilOrder(peer, ID, "peer");
            assertThat(terminal.run("discovery:topology"))
                    .startsWith("State:         Settled since ")
                    .contains("1. " + ID + " [leader] [this instance]", "2. peer", "History of views");
            assertThat(terminal.run("discovery:topology --json"))
                    .startsWith("{\"schema\":5,")
                    .contains("\"state\":\"SETTLED\"", "\"id\":\"peer\"");
            assertThat(terminal.run("instances")).contains("1. " + ID, "2. peer");
            assertThat(terminal.run("explain"))
                    .contains("Listeners", "Leader:        " + ID + " since ", "2. peer: settled")
                    .doesNotContain("2. peer\n", "     host ");
            assertThat(terminal.run("history --last 1"))
                    .startsWith("What happened")
                    .contains("History of views");
        }
    }

    @Test
    public void aShellDescribesTheCommands() {
        try (Terminal terminal = new Terminal(container())) {
            assertThat(terminal.run("help discovery:history"))
                    .contains("shows the past views of the cluster", "--last");
            assertThat(terminal.run("help discovery:evict")).contains("removes another instance", "node");
        }
    }
}
