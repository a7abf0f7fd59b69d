// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FlashMessagesTest {

    @Test
    void sentencesAreKeptByNamesThatNobodyElseKnows() {
        FlashMessages messages = new FlashMessages();
        String name = messages.add("It was done.");
        assertThat(messages.find(name)).contains("It was done.");
        assertThat(messages.find("other")).isEmpty();
    }

    @Test
    void onlyTheLastSentencesAreKept() {
        FlashMessages messages = new FlashMessages();
        String first = messages.add("first");
        IntStream.range(0, 64).forEach(i -> messages.add("another"));
        assertThat(messages.find(first)).isEmpty();
    }
}
