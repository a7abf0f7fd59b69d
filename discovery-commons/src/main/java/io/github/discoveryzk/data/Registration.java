// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.data;

/** The registration of a listener. */
public interface Registration extends AutoCloseable {

    /** Removes the listener: no call to it starts after this has returned. */
    @Override
    void close();
}
