// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.testing;

import static io.github.discoveryzk.testing.SharedTexts.encoded;

import io.github.discoveryzk.model.Bytes;
import io.github.discoveryzk.model.SharedAnnouncement;
import io.github.discoveryzk.spi.Request;
import io.github.discoveryzk.testing.RecordingObserver.Announcements;
import io.github.discoveryzk.testing.RecordingObserver.Connected;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The contract of announcements that members share. */
interface SharingContract extends StoreContract {

    private static SharedAnnouncement by(String holder, String owner, String content) {
        return new SharedAnnouncement(holder, true, owner, Bytes.of(content));
    }

    @Test
    default void allMembersAreNotifiedOfWhatIsShared() {
        Witness a = open("a");
        Witness b = open("b");
        b.store().board().share(encoded(Map.of("y", "2", "x", "1")));
        b.join();
        a.awaitAnnouncements(by("b", "x", "1"), by("b", "y", "2"));
        b.awaitAnnouncements(by("b", "x", "1"), by("b", "y", "2"));

        a.join();
        a.store().board().share(encoded(Map.of("x", "of a")));
        b.store().board().share(encoded(Map.of("x", "3")));
        a.awaitAnnouncements(by("a", "x", "of a"), by("b", "x", "3"));
        b.awaitAnnouncements(by("a", "x", "of a"), by("b", "x", "3"));
        Witness c = open("c");
        c.awaitAnnouncements(by("a", "x", "of a"), by("b", "x", "3"));
        b.store().board().share(Map.of());
        c.awaitAnnouncements(by("a", "x", "of a"));
    }

    @Test
    default void theLastOfManyContentsIsShared() {
        Witness a = joined("a");
        for (int i = 0; i <= REPEATED; i++) {
            a.store().board().share(encoded(Map.of("x", "" + i, "y" + i, "")));
        }
        a.awaitAnnouncements(by("a", "x", "" + REPEATED), by("a", "y" + REPEATED, ""));
    }

    @Test
    default void whatIsSharedGoesWithTheSessionAndComesWithTheNext() {
        Witness a = joined("a");
        Witness b = open("b");
        a.store().board().share(encoded(Map.of("x", "1")));
        b.awaitAnnouncements(by("a", "x", "1"));
        int notified = b.calls(Announcements.class).size();
        expire(a.store());

        await(() -> b.calls(Announcements.class).stream().skip(notified).anyMatch(one -> one.all().stream()
                .noneMatch(SharedAnnouncement::ownCluster)));
        await(() -> a.calls(Connected.class).size() > 1);
        a.awaitSnapshot(any -> true);
        a.join();
        b.awaitAnnouncements(by("a", "x", "1"));
        a.awaitAnnouncements(by("a", "x", "1"));
        a.close();
        b.awaitAnnouncements();
    }

    @Test
    default void whatIsSharedOutlivesAnInterruption() {
        Witness a = joined("a");
        Witness b = joined("b");
        a.store().board().share(encoded(Map.of("x", "1", "y", "1")));
        b.awaitAnnouncements(by("a", "x", "1"), by("a", "y", "1"));
        interrupt(a);
        b.store().board().share(encoded(Map.of("z", "2")));
        a.store().board().share(encoded(Map.of("x", "1")));
        restore(a);
        a.awaitAnnouncements(by("a", "x", "1"), by("b", "z", "2"));
        b.awaitAnnouncements(by("a", "x", "1"), by("b", "z", "2"));
        a.perform(new Request.Probe());
        a.awaitAnnouncements(by("a", "x", "1"), by("b", "z", "2"));
    }

    @Test
    default void whatIsSharedIsWrittenAgainAfterTheTreeWasDeleted() {
        Witness a = joined("a");
        Witness b = open("b");
        a.store().board().share(encoded(Map.of("x", "1")));
        b.awaitAnnouncements(by("a", "x", "1"));
        if (deleteEverything()) {
            a.awaitMembers(0);
            a.join();
            b.awaitAnnouncements(by("a", "x", "1"));
        }
    }
}
