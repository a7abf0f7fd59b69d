// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.server.ensemble;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Which entry of the list a container carries. */
sealed interface OwnEntry {
    /** It carries the server of an entry. */
    record Carries(Entry entry) implements OwnEntry {}

    /**
     * It is a client only.
     *
     * @param taken the entries of this machine, whose ports other processes have. If these are servers, they have the data, so the
     *     container stays a client even if a port becomes free.
     */
    record ClientOnly(List<Entry> taken, String sentence) implements OwnEntry {}

    /** It must not start a server until an administrator has acted, because the list does not fit this machine or its data. */
    record Refused(String sentence) implements OwnEntry {}

    /** It cannot start the server until a process ends that has a port. */
    record Busy(String sentence) implements OwnEntry {}

    /** Chooses the entry of this container, and remembers a choice that lasts: to carry none beside servers of this machine. */
    static OwnEntry of(Members members, DataFolder folder) throws IOException {
        Servers servers = members.servers();
        if (folder.isClientOf(servers)) {
            return new ClientOnly(
                    List.of(),
                    "This container is a client only since its first start with this list, because other processes had the"
                            + " ports of all entries of this machine. To choose again, remove " + folder.client()
                            + " and restart.");
        }
        OwnEntry choice =
                choose(servers, Machine.THIS, folder.id(), folder.path().toString());
        List<Entry> taken = choice instanceof ClientOnly client ? client.taken() : List.of();
        List<Entry> foreign = taken.stream()
                .filter(each -> Claim.isFree(each) && !members.answer(each).comesFromAServer())
                .toList();
        if (!foreign.isEmpty()) {
            String ports = foreign.stream()
                    .map(each -> Machine.THIS.busy(each) + " of " + each.address())
                    .collect(Collectors.joining(", "));
            return new Busy("A process that is not a ZooKeeper server has the port " + ports
                    + ". Stop it, or change the port on all containers.");
        }
        if (!taken.isEmpty()) {
            folder.rememberClientOf(servers);
        }
        return choice;
    }

    /**
     * Chooses the entry.
     *
     * @param remembered the id in the data folder
     * @param folder the data folder, for sentences
     */
    static OwnEntry choose(Servers servers, Machine machine, OptionalInt remembered, String folder) {
        List<Entry> own = servers.entries().stream().filter(machine::has).toList();
        if (isMixed(servers, machine)) {
            return new Refused(
                    "The list of servers has entries that are 127.0.0.1 on this machine beside entries of other machines ("
                            + addresses(own, machine::isLoopback)
                            + "), so the servers could not reach one another. Name each machine by an address that all of them"
                            + " know; look at /etc/hosts, which often has the name of the machine as 127.0.1.1.");
        }
        return remembered.isPresent()
                ? remembered(servers, own, machine, remembered.getAsInt(), folder)
                : first(own, machine);
    }

    private static boolean isMixed(Servers servers, Machine machine) {
        return servers.entries().stream().anyMatch(machine::isLoopback)
                && !servers.entries().stream().allMatch(machine::isLoopback);
    }

    private static OwnEntry remembered(Servers servers, List<Entry> own, Machine machine, int id, String folder) {
        String belongs = "The data in " + folder + " belongs to server " + id;
        if (id < 1 || id > servers.size()) {
            return new Refused(belongs + ", and the list has " + servers.size()
                    + ". Correct the list, or remove that folder; then this server gets its data from the others.");
        }
        Entry entry = servers.entry(id);
        Optional<String> address = machine.address(entry);
        if (address.isEmpty()) {
            return new Busy(belongs + ", whose name " + entry.host()
                    + " cannot be resolved now. It is looked up again; if it stays unknown, look at the name service.");
        } else if (!own.contains(entry)) {
            return new Refused(belongs + ", whose name " + entry.host() + " has the address " + address.get()
                    + ", which is no address of this machine. If the machine has a new address, its name follows soon, and is looked"
                    + " up again. Else the data was copied, or the list has another order: correct the list, or remove that"
                    + " folder; then this server gets its data from the others.");
        }
        return machine.busy(entry).isEmpty()
                ? new Carries(entry)
                : new Busy("Ports " + ports(machine.busy(entry)) + " of server " + id + " at " + entry.host()
                        + " are in use. If another container has " + folder
                        + " or a copy of it, two servers have the same id: stop the container with the copy. Else free the ports, or"
                        + " change them on all containers.");
    }

    private static String ports(List<Integer> ports) {
        return ports.stream().map(String::valueOf).collect(Collectors.joining(", "));
    }

    private static OwnEntry first(List<Entry> own, Machine machine) {
        if (own.isEmpty()) {
            return new ClientOnly(
                    List.of(),
                    "No entry of the list is an address of this machine, so this container is a client only.");
        }
        return own.stream()
                .filter(each -> machine.busy(each).isEmpty())
                .findFirst()
                .<OwnEntry>map(Carries::new)
                .orElseGet(() -> new ClientOnly(
                        own,
                        "Other processes use the ports of all entries of this machine (" + addresses(own, any -> true)
                                + "), so this container is a client only."));
    }

    private static String addresses(List<Entry> entries, Predicate<Entry> selected) {
        return entries.stream().filter(selected).map(Entry::address).collect(Collectors.joining(", "));
    }
}
