// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.connectors.trust;

import static io.github.discoveryzk.connectors.wire.Messages.assertInvalid;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.connectors.trust.SharedKey.Direction;
import io.github.discoveryzk.connectors.trust.SharedKey.SignedHash;
import io.github.discoveryzk.connectors.trust.SharedKey.TrustHeaders;
import io.github.discoveryzk.connectors.wire.InvalidMessage;
import io.github.discoveryzk.connectors.wire.InvalidMessage.Reason;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ReplayWindowTest {

    private static final long HOUR = Duration.ofHours(1).toMillis();

    private final SharedKey key = new SharedKey("s3cret", Duration.ofHours(1));
    private final ReplayWindow window = new ReplayWindow(5);

    private SignedHash message(String text, long signed, long now) throws InvalidMessage {
        TrustHeaders headers = key.sign(Direction.REQUEST, "/p", text, signed * HOUR);
        return key.verify(Optional.of(headers.hash()), Optional.of(headers.trust()), now * HOUR)
                .verify(Direction.REQUEST, "/p", text);
    }

    private void admit(String text, long signed, long now) throws InvalidMessage {
        window.admit(message(text, signed, now));
    }

    private void assertReplayed(String text, long signed, long now) {
        assertInvalid(Reason.REPLAYED, () -> admit(text, signed, now));
    }

    @Test
    void refusesAMessageThatCameBefore() throws Exception {
        admit("a", 100, 100);
        admit("b", 100, 100);

        assertReplayed("a", 100, 100);
        assertReplayed("b", 100, 101);
        assertThat(window.size()).isEqualTo(2);
    }

    @Test
    void aMessageThatIsSignedAgainWithTheNextKeyIsAnother() throws Exception {
        admit("a", 100, 100);
        admit("a", 101, 100);
        assertReplayed("a", 101, 101);
    }

    @Test
    void remembersAsLongAsTheKeyIsAccepted() throws Exception {
        admit("early", 101, 100);
        assertReplayed("early", 101, 102);
        admit("x", 102, 102);
        assertThat(window.size()).isEqualTo(2);

        admit("y", 103, 103);
        assertThat(window.size()).as("the key of the first message is over").isEqualTo(2);
        assertInvalid(Reason.UNTRUSTED, () -> admit("early", 101, 103));
    }

    @Test
    void aClockThatGoesBackDoesNotOpenIt() throws Exception {
        admit("a", 100, 100);
        admit("b", 102, 102);

        assertInvalid(Reason.REPLAYED, () -> admit("a", 100, 100)).hasMessageContaining("clock of this instance");
        assertReplayed("new", 100, 100);
        admit("new", 101, 100);
    }

    @Test
    void whenItIsFullTheKeyBeforeIsOver() throws Exception {
        admit("old1", 99, 100);
        admit("old2", 99, 100);
        for (int i = 0; i < 4; i++) {
            admit("m" + i, 100, 100);
        }
        assertThat(window.size()).isEqualTo(4);
        assertReplayed("old1", 99, 100);
        assertReplayed("never seen", 99, 100);
        assertReplayed("m0", 100, 100);
    }

    @Test
    void whenItIsFullNothingIsForgottenAndNothingAdmitted() throws Exception {
        for (int i = 0; i < 5; i++) {
            admit("m" + i, 100 + i % 2, 100);
        }
        for (int i = 0; i < 10; i++) {
            assertInvalid(Reason.UNAVAILABLE, () -> admit("more", 100, 100));
            assertInvalid(Reason.UNAVAILABLE, () -> admit("more", 101, 100));
        }
        assertReplayed("m0", 100, 100);
        assertReplayed("m1", 101, 100);
        assertThat(window.size()).isEqualTo(5);

        admit("more", 102, 102);
        assertReplayed("m1", 101, 102);
        assertThat(window.size()).isEqualTo(3);
    }

    @Test
    void aSecondDeleteNeedsANonce() throws Exception {
        admit(SharedKey.deletion(Optional.empty()), 100, 100);
        assertReplayed(SharedKey.deletion(Optional.empty()), 100, 100);
        admit(SharedKey.deletion(Optional.of("1")), 100, 100);
        admit(SharedKey.deletion(Optional.of("2")), 100, 100);
    }
}
