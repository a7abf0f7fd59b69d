// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.dispatch;

import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/**
 * What calls of the listeners of one instance need. Its identity distinguishes calls of different dispatchers.
 *
 * @param executor runs the calls
 * @param clock monotonic milliseconds
 * @param running all calls, including those of other dispatchers
 * @param returned run by the executor's threads each time a listener has returned
 */
record Dispatcher(Executor executor, LongSupplier clock, RunningCalls running, Runnable returned) {

    long now() {
        return clock.getAsLong();
    }
}
