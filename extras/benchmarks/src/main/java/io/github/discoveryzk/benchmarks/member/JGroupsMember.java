// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.benchmarks.member;

import io.github.discoveryzk.spi.ThreadsAndClocks;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jgroups.JChannel;
import org.jgroups.Receiver;
import org.jgroups.View;
import org.jgroups.protocols.TCPPING;
import org.jgroups.protocols.TP;
import org.jgroups.protocols.VERIFY_SUSPECT2;
import org.jgroups.protocols.pbcast.GMS;

/**
 * A channel of JGroups with the stack {@code tcp.xml} that JGroups ships, on the loopback address. Newcomers find the group
 * through the eldest members, which have known ports.
 */
@ThreadsAndClocks
public final class JGroupsMember implements BenchmarkMember {

    /** The number of members whose ports are known to all. */
    public static final int ELDEST = 3;

    private static final String STACK = "tcp.xml";

    private final String id;
    private final List<InetSocketAddress> eldest = new ArrayList<>();
    private final Recorder recorder;
    private final OptionalLong verification;
    private JChannel channel;

    /**
     * Creates a member that finds the others at the given addresses.
     *
     * @param verification how long a member that is suspected is waited for, in milliseconds, if not as long as in the stack
     */
    JGroupsMember(String id, String addresses, Recorder recorder, OptionalLong verification) {
        this.verification = verification;
        this.id = id;
        this.recorder = recorder;
        for (String address : addresses.split(",")) {
            int colon = address.indexOf(':');
            eldest.add(new InetSocketAddress(
                    InetAddress.getLoopbackAddress(), Integer.parseInt(address.substring(colon + 1))));
        }
    }

    @Override
    public void connect() throws Exception {
        channel = new JChannel(STACK).name(id);
        int number = Contestant.number(id);
        TP transport = channel.getProtocolStack().getTransport();
        transport.setBindAddress(InetAddress.getLoopbackAddress());
        transport.setBindPort(number < ELDEST ? eldest.get(number).getPort() : 0);
        transport.setPortRange(0);
        transport.getDiagnosticsHandler().setEnabled(false);
        TCPPING discovery = channel.getProtocolStack().findProtocol(TCPPING.class);
        discovery.setInitialHosts(eldest);
        VERIFY_SUSPECT2 verifier = channel.getProtocolStack().findProtocol(VERIFY_SUSPECT2.class);
        verification.ifPresent(verifier::setTimeout);
        GMS membership = channel.getProtocolStack().findProtocol(GMS.class);
        membership.printLocalAddress(false);
        channel.setReceiver(new Receiver() {
            @Override
            public void viewAccepted(View view) {
                recorder.lead(view.getCoord().toString());
                recorder.notified(id, view.size(), "");
            }
        });
    }

    @Override
    public void join() {
        CompletableFuture.runAsync(this::connectChannel, task -> new Thread(task, "join").start());
    }

    private void connectChannel() {
        try {
            channel.connect("benchmark");
        } catch (Exception e) {
            throw new CompletionException(e);
        }
    }

    @Override
    public void leave() {
        channel.close();
    }
}
