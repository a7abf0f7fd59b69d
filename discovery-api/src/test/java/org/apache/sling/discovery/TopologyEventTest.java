// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery;

import static org.apache.sling.discovery.TopologyEvent.Type.PROPERTIES_CHANGED;
import static org.apache.sling.discovery.TopologyEvent.Type.TOPOLOGY_CHANGED;
import static org.apache.sling.discovery.TopologyEvent.Type.TOPOLOGY_CHANGING;
import static org.apache.sling.discovery.TopologyEvent.Type.TOPOLOGY_INIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.sling.discovery.TopologyEvent.Type;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class TopologyEventTest {

    private static final TopologyView OLD = view("old");
    private static final TopologyView NEW = view("new");

    private enum Rule {
        REQUIRED,
        FORBIDDEN;

        boolean allows(TopologyView view) {
            return (view != null) == (this == REQUIRED);
        }

        String says(String name) {
            return (this == REQUIRED ? " must have an? " : " must not have an? ") + name + ":";
        }
    }

    private static Stream<Arguments> shapes() {
        return Stream.of(
                Arguments.of(TOPOLOGY_INIT, Rule.FORBIDDEN, Rule.REQUIRED),
                Arguments.of(TOPOLOGY_CHANGING, Rule.REQUIRED, Rule.FORBIDDEN),
                Arguments.of(TOPOLOGY_CHANGED, Rule.REQUIRED, Rule.REQUIRED),
                Arguments.of(PROPERTIES_CHANGED, Rule.REQUIRED, Rule.REQUIRED));
    }

    @Test
    void theTableKnowsEveryType() {
        assertThat(shapes().map(row -> row.get()[0])).containsExactly((Object[]) Type.values());
    }

    @ParameterizedTest
    @MethodSource("shapes")
    void takesTheRightViewsAndNoOthers(Type type, Rule oldRule, Rule newRule) {
        for (TopologyView oldView : new TopologyView[] {null, OLD}) {
            for (TopologyView newView : new TopologyView[] {null, NEW}) {
                if (oldRule.allows(oldView) && newRule.allows(newView)) {
                    TopologyEvent event = new TopologyEvent(type, oldView, newView);
                    assertThat(event.getType()).isSameAs(type);
                    assertThat(event.getOldView()).isSameAs(oldView);
                    assertThat(event.getNewView()).isSameAs(newView);
                } else {
                    String said = oldRule.allows(oldView) ? newRule.says("newView") : oldRule.says("oldView");
                    assertThatThrownBy(() -> new TopologyEvent(type, oldView, newView))
                            .isInstanceOf(IllegalArgumentException.class)
                            .message()
                            .matches(type + said + " .+");
                }
            }
        }
    }

    @Test
    void needsAType() {
        for (TopologyView view : new TopologyView[] {null, OLD}) {
            assertThatThrownBy(() -> new TopologyEvent(null, view, NEW))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("type");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"TOPOLOGY_CHANGED", "PROPERTIES_CHANGED"})
    void showsTypeAndViews(Type type) {
        assertThat(new TopologyEvent(type, OLD, NEW))
                .hasToString("TopologyEvent [type=" + type + ", oldView=old, newView=new]");
    }

    @Test
    void showsAMissingViewAsNull() {
        assertThat(new TopologyEvent(TOPOLOGY_INIT, null, NEW))
                .hasToString("TopologyEvent [type=TOPOLOGY_INIT, oldView=null, newView=new]");
    }

    @Test
    void isEqualToItselfOnly() {
        assertThat(Set.of(new TopologyEvent(TOPOLOGY_INIT, null, NEW), new TopologyEvent(TOPOLOGY_INIT, null, NEW)))
                .hasSize(2);
    }

    private static TopologyView view(String name) {
        return (TopologyView) Proxy.newProxyInstance(
                TopologyView.class.getClassLoader(),
                new Class<?>[] {TopologyView.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("toString")) {
                        return name;
                    }
                    throw new UnsupportedOperationException(method.getName());
                });
    }
}
