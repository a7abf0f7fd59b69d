// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.neighbour;

import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.sling.discovery.base.environment.AddressLiteral;
import org.apache.sling.discovery.commons.model.Member;
import org.apache.sling.discovery.commons.model.ProcessInfo;

/**
 * A member to be watched, as its record describes it.
 *
 * @param pid its process id; 0 if its process is not among those of this machine
 */
record Neighbour(String node, String instanceId, String runtimeId, String endpoint, long pid) {

    private static final Pattern ENDPOINT = Pattern.compile("\\[?([^\\[\\]]+)]?:([1-9]\\d{0,4})");

    static Neighbour of(Member member, ProcessInfo own) {
        ProcessInfo process = member.record().process();
        boolean here = !own.machine().isEmpty() && own.machine().equals(process.machine());
        return new Neighbour(
                member.node(), member.instanceId(), process.runtimeId(), process.endpoint(), here ? process.pid() : 0);
    }

    static String endpoint(InetSocketAddress address) {
        String host = address.getAddress().getHostAddress();
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + address.getPort();
    }

    /** Returns the address of the endpoint; empty if it has none, or a loopback address of another machine. */
    Optional<InetSocketAddress> address() {
        Matcher parts = ENDPOINT.matcher(endpoint);
        if (!parts.matches() || Integer.parseInt(parts.group(2)) > 0xffff) {
            return Optional.empty();
        }
        return AddressLiteral.parse(parts.group(1))
                .filter(address -> pid != 0 || !address.isLoopbackAddress())
                .map(address -> new InetSocketAddress(address, Integer.parseInt(parts.group(2))));
    }
}
