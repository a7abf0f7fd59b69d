// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.sling.discovery.webconsole.action.FlashMessages;
import org.junit.jupiter.api.Test;

class CsrfTokenTest {
    private final CsrfToken token = new CsrfToken();

    @Test
    void aTokenIsAcceptedFromItsUser() {
        assertThat(token.accepts("a", token.of("a"))).isTrue();
    }

    @Test
    void everythingElseIsNot() {
        String right = token.of("a");
        assertThat(token.accepts("b", right)).as("another user").isFalse();
        assertThat(token.accepts("a", new CsrfToken().of("a")))
                .as("another start")
                .isFalse();
        assertThat(token.accepts("a", right.substring(1))).as("a part").isFalse();
        assertThat(token.accepts("a", right + "x")).as("more").isFalse();
        assertThat(token.accepts("a", "")).as("empty").isFalse();
        assertThat(token.accepts("a", null)).as("none").isFalse();
    }

    @Test
    void tokensCannotBeGuessed() {
        Set<String> tokens = new HashSet<>();
        IntStream.range(0, 100).forEach(i -> tokens.add(new CsrfToken().of("a")));
        assertThat(tokens).hasSize(100).allMatch(each -> each.length() >= 43);
    }

    @Test
    void sentencesAreKeptByNamesThatNobodyElseKnows() {
        FlashMessages notices = new FlashMessages();
        String name = notices.keep("It was done.");
        assertThat(notices.of(name)).contains("It was done.");
        assertThat(notices.of("other")).isEmpty();
        assertThat(notices.of(null)).isEmpty();
    }

    @Test
    void onlyTheLastSentencesAreKept() {
        FlashMessages notices = new FlashMessages();
        String first = notices.keep("first");
        IntStream.range(0, 64).forEach(i -> notices.keep("another"));
        assertThat(notices.of(first)).isEmpty();
    }
}
