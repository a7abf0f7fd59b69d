// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ContentCacheTest {
    private final ContentCache cache = new ContentCache();
    private final AtomicInteger rendered = new AtomicInteger();

    @Test
    void requestsAtTheSameTimeShareOneRendering() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            CountDownLatch started = new CountDownLatch(8);
            List<Future<ContentCache.Content>> contents = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                contents.add(threads.submit(() -> {
                    started.countDown();
                    started.await();
                    return cache.get(key("a"), this::render);
                }));
            }
            for (Future<ContentCache.Content> each : contents) {
                assertThat(each.get(30, TimeUnit.SECONDS))
                        .isSameAs(contents.get(0).get());
            }
            assertThat(rendered).hasValue(1);
        } finally {
            threads.shutdown();
        }
    }

    @Test
    void aFailureIsNotKept() throws IOException {
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> cache.get(key("a"), () -> {
                    throw new IllegalStateException("a defect");
                }));
        assertThat(cache.get(key("a"), this::render).status()).isEqualTo(200);
    }

    @Test
    void theNumberOfContentsIsLimited() throws IOException {
        for (int i = 0; i < 1_000; i++) {
            cache.get(key("user " + i), this::render);
            cache.get(key("a"), this::render);
        }
        assertThat(rendered).as("the one in use is kept").hasValue(1_001);
        cache.get(key("user 0"), this::render);
        assertThat(rendered).hasValue(1_002);
    }

    @Test
    void elapsedTimeIsNoNews() {
        String now = "<div data-now=\"5\" data-revision=\"7\"><b data-ago=\"3\" class=\"x\">(2 s ago)</b></div>"
                + "<p class=\"dz-footer\">As of five.</p>";
        String later = "<div data-now=\"9\" data-revision=\"8\"><b data-ago=\"3\" class=\"x\">(6 s ago)</b></div>"
                + "<p class=\"dz-footer\">As of nine.</p>";
        String other = now.replace("data-ago=\"3\"", "data-ago=\"4\"");
        assertThat(tag(later)).isEqualTo(tag(now));
        assertThat(tag(other)).isNotEqualTo(tag(now));
    }

    private static String tag(String text) {
        return ContentCache.Content.of(200, "text/html", text).body().tag().orElseThrow();
    }

    private static ContentCache.Key key(String user) {
        return new ContentCache.Key(user, "/console", Map.of(), "1", 0);
    }

    private ContentCache.Content render() {
        rendered.incrementAndGet();
        return ContentCache.Content.of(200, "text/html", "content");
    }
}
