// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.chaos;

import java.util.HashSet;
import java.util.List;
import java.util.stream.Stream;

/** L11: no instance id is twice in a view. */
final class IdentityLaw implements Law {

    @Override
    public String name() {
        return "L11 Identity";
    }

    @Override
    public List<String> objections(Recording recording) {
        return Stream.concat(
                        recording.views().stream()
                                .filter(view -> twice(view.ids()))
                                .map(Object::toString),
                        recording.received().stream()
                                .filter(call -> twice(call.ids()))
                                .map(Object::toString))
                .toList();
    }

    private static boolean twice(List<String> ids) {
        return new HashSet<>(ids).size() < ids.size();
    }
}
