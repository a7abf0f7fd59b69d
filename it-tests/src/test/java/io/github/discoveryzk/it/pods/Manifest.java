// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.pods;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.it.containers.Document;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The manifest of {@code docs/kubernetes.md}, of which the pods of the tests are made. */
final class Manifest {

    private static final Map<String, Object> PARTS = StreamSupport.stream(
                    new Yaml(new SafeConstructor(new LoaderOptions()))
                            .loadAll(Document.block("docs/kubernetes.md", "kind: StatefulSet"))
                            .spliterator(),
                    false)
            .collect(Collectors.toMap(part -> (String) at(part, "kind"), Function.identity()));

    private Manifest() {}

    /** Returns what a part has at a path: names, and numbers of elements. */
    static Object of(String kind, String path) {
        assertThat(PARTS).containsKey(kind);
        return at(PARTS.get(kind), path);
    }

    private static Object at(Object part, String path) {
        Object found = part;
        for (String name : path.split("/")) {
            found = found instanceof List<?> list ? list.get(Integer.parseInt(name)) : ((Map<?, ?>) found).get(name);
            assertThat(found).as(path).isNotNull();
        }
        return found;
    }

    /** Returns what the container of a pod has at a path. */
    static Object container(String path) {
        return of("StatefulSet", "spec/template/spec/containers/0/" + path);
    }

    /** Returns the list of servers. */
    static String servers() {
        return Document.block("docs/kubernetes.md", "servers =")
                .lines()
                .filter(line -> line.startsWith("servers"))
                .map(line -> line.substring(line.indexOf('"') + 1, line.lastIndexOf('"')))
                .findFirst()
                .orElseThrow();
    }

    /** Returns how many seconds a pod has to stop. */
    static int gracePeriod() {
        return (Integer) of("StatefulSet", "spec/template/spec/terminationGracePeriodSeconds");
    }
}
