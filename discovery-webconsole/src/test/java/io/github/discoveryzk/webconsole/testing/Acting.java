// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.webconsole.testing;

import io.github.discoveryzk.report.Operator;
import java.util.ArrayList;
import java.util.List;

/** Notes the actions, and answers that they succeed or not. For one thread. */
public final class Acting implements Operator {
    public final List<String> done = new ArrayList<>();
    public boolean success = true;

    @Override
    public Result stepDown() {
        done.add("step down");
        return new Result(success, "It steps down.");
    }

    @Override
    public Result evict(String instanceIdOrNode) {
        done.add("evict " + instanceIdOrNode);
        return new Result(success, "It evicts\n" + instanceIdOrNode);
    }

    @Override
    public Result lead(String instanceIdOrNode) {
        done.add("lead " + instanceIdOrNode);
        return new Result(success, "It makes " + instanceIdOrNode + " lead.");
    }
}
