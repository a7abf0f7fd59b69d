// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.work;

import io.github.discoveryzk.data.Fence;
import org.osgi.annotation.versioning.ProviderType;

/**
 * This instance handles a key. A write of shared data with it has no effect once the store has another owner of the key.
 *
 * <p>In a container an ownership is also a service of this type, registered when {@code begin} has returned and unregistered before {@code end}
 * is called, with the properties {@link Worker#SET}, {@link #KEY} and {@link #TOKEN}: a component with a mandatory reference to it and a target
 * such as {@code (&(discovery.work=feeds)(discovery.work.key=a))} is active on the owner only.
 *
 * <p>All methods may be called from any thread; they do no I/O.
 */
@ProviderType
public interface Ownership extends Fence {

    /** The service property with the key, a {@link String}. */
    String KEY = "discovery.work.key";

    /** The service property with the token, a {@link Long}. */
    String TOKEN = "token";

    /** Returns the name of the set. */
    String set();

    /** Returns the key. */
    String key();

    /** Returns the fencing token: greater than that of each earlier ownership of the key, and constant while this one lasts. */
    @Override
    long token();

    /**
     * Says whether it is held at this moment, by the monotonic clock at each call: until it has to end, at the latest two thirds of the session
     * timeout after the start of the last request that the store completed. Once false, it is never true again.
     */
    @Override
    boolean isHeld();

    /**
     * Throws unless it is held at this moment. To be called before each piece of work.
     *
     * @throws NotOwnerException when it is over
     */
    default void check() {
        if (!isHeld()) {
            throw new NotOwnerException(set(), key(), token());
        }
    }
}
