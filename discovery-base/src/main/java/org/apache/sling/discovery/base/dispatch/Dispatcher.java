// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.dispatch;

import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/**
 * With what the listeners of one instance are called. Calls of different dispatchers are told apart by its identity.
 *
 * @param executor runs the calls
 * @param clock monotonic milliseconds
 * @param running all calls, those of other dispatchers included
 * @param returned run by the executor's threads each time a listener has returned
 */
record Dispatcher(Executor executor, LongSupplier clock, RunningCalls running, Runnable returned) {

    long now() {
        return clock.getAsLong();
    }
}
