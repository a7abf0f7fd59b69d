// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.data;

import org.osgi.annotation.versioning.ProviderType;

/**
 * What the members of the local cluster share. An OSGi service as long as the instance is started. No method blocks; stages complete and
 * listeners are called on threads of the instance that may wait.
 *
 * <p>All methods may be called from any thread. Parameters are never null.
 */
@ProviderType
public interface SharedData {

    /**
     * Opens a value, which is kept up to date as long as the instance is started; the same object for the same name. All members use the same kind for a name.
     *
     * @param scope what the value belongs to, such as the name of an application
     * @param name unique within the scope; a value and a map may have the same name
     * @throws IllegalArgumentException if scope or name has not 1 to 100 bytes in UTF-8, or has control characters; if the name is open as another
     *     kind
     * @throws IllegalStateException if this instance has opened 500 names
     */
    <T> SharedValue<T> value(String scope, String name, DataKind<T> kind);

    /**
     * Opens a map, which is kept up to date as long as the instance is started; the same object for the same name. All members use the same kind of entries for a name.
     *
     * @throws IllegalArgumentException as {@link #value} does
     * @throws IllegalStateException as {@link #value} does
     */
    <T> SharedMap<T> map(String scope, String name, DataKind<T> kind);
}
