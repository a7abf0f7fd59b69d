// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.shell;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How a command is called. It prints to the standard output, which the shells of Felix and Karaf lead to the session of the
 * caller: a returned value would not be printed where Karaf executes a single command.
 *
 * @param name its name without the scope
 * @param summary what it does
 * @param options its own options
 * @param operand the argument that must be given, in words; empty if there is none
 */
record Command(String name, String summary, List<CommandOption> options, String operand) {
    Command {
        options = List.copyOf(options);
    }

    static Command of(String name, String summary, CommandOption... options) {
        return new Command(name, summary, List.of(options), "");
    }

    /** What a command does with its arguments. */
    interface Action {
        /** Returns what to print, as text or as JSON. */
        String run(CommandArguments arguments) throws CommandFailure;
    }

    /** Runs an action with the arguments of a call, and prints its result. With JSON, a failure is printed too. */
    void run(String[] arguments, Action action) throws CommandFailure {
        boolean json = List.of(arguments).contains(CommandOption.JSON.name());
        try {
            CommandArguments parsed = parse(arguments);
            System.out.println(parsed.help() ? help() : action.run(parsed));
        } catch (CommandFailure e) {
            if (json) {
                System.out.println(e.json());
            }
            throw e;
        }
    }

    private CommandArguments parse(String... arguments) throws CommandFailure {
        Map<String, String> values = new HashMap<>();
        List<String> operands = new ArrayList<>();
        Iterator<String> rest = List.of(arguments).iterator();
        while (rest.hasNext()) {
            String next = rest.next();
            if (next.startsWith("--")) {
                CommandOption option = find(next);
                values.put(option.name(), option.hasValue() ? valueOf(option, rest) : "");
            } else {
                operands.add(next);
            }
        }
        boolean help = values.containsKey(CommandOption.HELP.name());
        if (!help) {
            check(operands);
        }
        return new CommandArguments(
                values.containsKey(CommandOption.JSON.name()), help, values, operands.isEmpty() ? "" : operands.get(0));
    }

    private CommandOption find(String name) throws CommandFailure {
        Optional<CommandOption> found =
                allOptions().filter(each -> each.name().equals(name)).findFirst();
        return found.orElseThrow(() -> misuse("has no option " + name));
    }

    private String valueOf(CommandOption option, Iterator<String> rest) throws CommandFailure {
        if (!rest.hasNext()) {
            throw misuse("needs a value after " + option.name() + ": " + option.description());
        }
        return rest.next();
    }

    private void check(List<String> operands) throws CommandFailure {
        if (operand.isEmpty() && !operands.isEmpty()) {
            throw misuse("takes options only, and no argument " + operands.get(0));
        }
        if (!operand.isEmpty() && (operands.isEmpty() || operands.get(0).isBlank())) {
            throw misuse("needs an argument: " + operand);
        }
        if (operands.size() > 1) {
            throw misuse("takes one argument only, not " + operands.size());
        }
    }

    private CommandFailure misuse(String problem) {
        return new CommandFailure(fullName() + " " + problem + ". Usage: " + usage());
    }

    private Stream<CommandOption> allOptions() {
        return Stream.concat(options.stream(), Stream.of(CommandOption.JSON, CommandOption.HELP));
    }

    private String fullName() {
        return "discovery:" + name;
    }

    private String usage() {
        return fullName()
                + allOptions()
                        .filter(each -> !each.equals(CommandOption.HELP))
                        .map(each -> " [" + each.usage() + "]")
                        .collect(Collectors.joining())
                + (operand.isEmpty() ? "" : " <" + operand + ">");
    }

    private String help() {
        StringBuilder text = new StringBuilder(fullName()).append(": ").append(summary);
        text.append("\n\nUsage: ").append(usage()).append('\n');
        int width = allOptions().mapToInt(each -> each.usage().length()).max().orElse(0);
        allOptions().forEach(each -> text.append("\n  ")
                .append(each.usage())
                .append(" ".repeat(width - each.usage().length() + 2))
                .append(each.description()));
        return text.toString();
    }
}
