// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.testing;

import java.lang.reflect.Proxy;
import java.util.Set;

/** Answers the calls of an interface of the container by the name of the method. */
@FunctionalInterface
public interface Stub {

    Object answer(String name, Object[] arguments);

    /** Returns an object whose calls this stub answers. A call that is not allowed fails. */
    default <T> T of(Class<T> type, Set<String> allowed) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    if (!allowed.contains(method.getName())) {
                        throw new UnsupportedOperationException(method.getName());
                    }
                    return answer(method.getName(), arguments);
                }));
    }
}
