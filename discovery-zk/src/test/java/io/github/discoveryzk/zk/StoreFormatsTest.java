// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.model.FormatRange;
import io.github.discoveryzk.model.Member;
import io.github.discoveryzk.model.StoreSnapshot;
import io.github.discoveryzk.model.UnreadableMember;
import io.github.discoveryzk.spi.Request;
import io.github.discoveryzk.testing.Witness;
import io.github.discoveryzk.zk.testing.OneServer;
import io.github.discoveryzk.zk.tree.Formats;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Stores of versions that know different formats, at one server. */
class StoreFormatsTest extends OneServer {
    private static final FormatRange FIRST = new FormatRange(1, 1);
    private static final FormatRange BOTH = new FormatRange(1, 2);
    private static final FormatRange SECOND = new FormatRange(2, 2);

    private Witness witness(String id, FormatRange formats) {
        return witness(id, new ZooKeeperStore(config(), new Formats(formats)));
    }

    @Test
    void theNameOfAMemberTellsItsFormatsToThoseWhoCannotReadItsRecord() throws Exception {
        Witness older = witness("older", FIRST);
        Witness both = witness("both", BOTH);
        Witness newer = witness("newer", SECOND);
        both.awaitSnapshot(any -> true);
        both.perform(new Request.Announce(both.record(Map.of()).withFormat(2)));
        newer.awaitSnapshot(all -> all.members().size() == 1);
        StoreSnapshot seen = older.awaitSnapshot(all -> all.unreadable().size() == 1);
        UnreadableMember member = seen.unreadable().get(0);
        assertThat(member.formats()).isEqualTo(BOTH);
        assertThat(member.why()).isEqualTo("it has format 2, and this version knows format 1");
        assertThat(seen.problems()).singleElement().asString().contains(member.node(), "formats 1 to 2");

        Member own = both.snapshot().members().get(0);
        both.perform(new Request.Update(own.node(), own.record().withFormat(1)));
        StoreSnapshot readable = older.awaitSnapshot(all -> all.members().size() == 1);
        assertThat(readable.unreadable()).isEmpty();
        assertThat(readable.problems()).isEmpty();
        assertThat(readable.members().get(0).formats()).isEqualTo(BOTH);
        newer.awaitSnapshot(all -> all.unreadable().size() == 1);
    }

    @Test
    void aViewInANewerFormatIsThereAndCannotBeRead() throws Exception {
        Witness older = witness("older", FIRST);
        Witness both = witness("both", BOTH);
        both.awaitSnapshot(any -> true);
        both.perform(new Request.Announce(both.record(Map.of()).withFormat(2)));
        Member own =
                both.awaitSnapshot(all -> all.members().size() == 1).members().get(0);
        Request.Publish publication = both.publication(own.node());
        both.perform(new Request.Publish(
                publication.next(),
                publication.expectedVersion(),
                publication.renewal(),
                publication.entry(),
                publication.heard(),
                publication.renewals(),
                2));
        both.awaitSnapshot(all -> all.view().isPresent());
        StoreSnapshot seen = older.awaitSnapshot(all -> all.slot().version() == 1);
        assertThat(seen.view()).isEmpty();
        assertThat(seen.problems()).anyMatch(problem -> problem.contains("established view"));
        assertThat(new String(server.data(CLUSTER + "/view"), StandardCharsets.UTF_8))
                .startsWith("{\"format\":2,");
    }
}
