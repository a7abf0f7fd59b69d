// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import org.openqa.selenium.Keys;

/** A user without a mouse, who sees the focus. */
final class Keyboard {

    /** The maximum number of key presses. */
    private static final int MAX_PRESSES = 100;

    private static final String IS_FOCUSED = "return document.activeElement.matches(arguments[0])";
    private static final String IS_SEEN =
            """
            const style = getComputedStyle(document.activeElement);
            const box = document.activeElement.getBoundingClientRect();
            return document.activeElement.matches(':focus-visible')
                && style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1
                && box.width > 0 && box.bottom > 0 && box.top < innerHeight;
            """;

    private final Browser browser;

    Keyboard(Browser browser) {
        this.browser = browser;
    }

    /** Presses the tabulator until the focus is visibly on such an element. */
    void tabTo(String selector) {
        for (int i = 0; i < MAX_PRESSES && !isFocused(selector); i++) {
            browser.press(Keys.TAB);
        }
        assertThat(isFocused(selector)).as("the focus comes to " + selector).isTrue();
        assertThat(browser.script(IS_SEEN))
                .as("the focus is seen on " + selector)
                .isEqualTo(true);
    }

    /** Follows a link. */
    void follow(String link) {
        tabTo(link);
        URI target = URI.create(browser.focused().getDomProperty("href"));
        browser.press(Keys.ENTER);
        assertThat(browser.address()).isEqualTo(target);
    }

    private boolean isFocused(String selector) {
        return Boolean.TRUE.equals(browser.script(IS_FOCUSED, selector));
    }
}
