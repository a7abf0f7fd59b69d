// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.console;

import static org.apache.sling.discovery.it.cluster.Containers.awaitOrder;
import static org.apache.sling.discovery.it.cluster.Containers.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.sling.discovery.it.cluster.Containers;
import org.apache.sling.discovery.launcher.ContainerProcess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The cost of live pages on a large cluster: of the contents that they share, and of whole pages. */
class PageCostIT {

    private static final int INSTANCES = 200;
    private static final int PAGES = 20;
    private static final int WARM_UP = 5;
    private static final int CHANGES = Integer.getInteger("discovery.test.console.changes", 15);

    private final Visitor visitor = new Visitor(
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build(), true);
    private ContainerProcess container;
    private Forgery forgery;
    private String member;
    private OpenPage listening;
    private int changes;

    /**
     * What some changes cost.
     *
     * @param bytes the bytes of the contents
     * @param cpu the processor time of the container, with its own work for the changes
     */
    private record Cost(long bytes, Duration cpu) {}

    @Test
    void liveOnesCostATenthOfTheBytes(@TempDir Path folder) throws Exception {
        try (Containers containers = new Containers(folder);
                Forgery forger = new Forgery(containers.server().connectString())) {
            forgery = forger;
            container = containers.start("one", id(1));
            awaitOrder(List.of(id(1)), container);
            List<String> ids =
                    IntStream.rangeClosed(1, INSTANCES).mapToObj(PageCostIT::id).toList();
            member = forgery.join(
                            ids.stream().skip(1).map(id -> record(id, "0")).toList())
                    .get(INSTANCES - 2);
            awaitOrder(ids, container);
            try (OpenPage page = new OpenPage(visitor.client(), container.consoleUri())) {
                listening = page;
                awaitThat("the page to listen", page::listens);
                compare();
            }
        }
    }

    private void compare() throws Exception {
        List<Map<String, String>> wholePages = headers(Map.of());
        List<Map<String, String>> contents = headers(Map.of("Accept-Encoding", "gzip"));
        measure(WARM_UP, container.consoleUri(), wholePages);
        measure(WARM_UP, URI.create(container.consoleUri() + ".content"), contents);
        Cost whole = measure(CHANGES, container.consoleUri(), wholePages);
        Cost shared = measure(CHANGES, URI.create(container.consoleUri() + ".content"), contents);
        System.out.println(PAGES + " pages of " + INSTANCES + " instances, " + CHANGES + " changes: " + whole.bytes()
                + " bytes and " + whole.cpu().toMillis() + " ms of CPU time for whole pages, " + shared.bytes()
                + " bytes and " + shared.cpu().toMillis() + " ms for shared contents");
        assertThat(shared.bytes() * 10).isLessThanOrEqualTo(whole.bytes());
        assertThat(shared.cpu().multipliedBy(2)).isLessThan(whole.cpu());
    }

    private static List<Map<String, String>> headers(Map<String, String> headers) {
        return Stream.generate(() -> new HashMap<>(headers))
                .limit(PAGES)
                .map(each -> (Map<String, String>) each)
                .toList();
    }

    /** Makes changes, after each of which every page requests its content. */
    private Cost measure(int count, URI address, List<Map<String, String>> pages) throws Exception {
        long bytes = 0;
        Duration start = cpu();
        for (int i = 0; i < count; i++) {
            int before = listening.events();
            forgery.rewrite(member, record(id(INSTANCES), String.valueOf(++changes)));
            awaitThat("an event", () -> listening.events() > before);
            List<CompletableFuture<HttpResponse<byte[]>>> answers = new ArrayList<>();
            pages.forEach(headers -> answers.add(visitor.fetch(address, headers)));
            for (int page = 0; page < PAGES; page++) {
                HttpResponse<byte[]> answer = answers.get(page).join();
                assertThat(answer.statusCode()).isEqualTo(200);
                bytes += answer.body().length;
                Map<String, String> headers = pages.get(page);
                answer.headers().firstValue("ETag").ifPresent(tag -> headers.put("If-None-Match", tag));
            }
        }
        return new Cost(bytes, cpu().minus(start));
    }

    private Duration cpu() {
        return ProcessHandle.of(container.pid())
                .flatMap(process -> process.info().totalCpuDuration())
                .orElseThrow();
    }

    private static String id(int number) {
        return String.format("node-%03d", number);
    }

    private static Map<String, Object> record(String id, String value) {
        return Forgery.record(
                id,
                "host-" + id,
                Map.of("sling.name", "Instance " + id, "sample.value1", "one", "sample.value2", value));
    }
}
