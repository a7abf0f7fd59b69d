// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.chaos.recorder;

import java.util.Optional;
import java.util.OptionalLong;
import org.apache.sling.discovery.TopologyView;
import org.apache.sling.discovery.commons.extension.ViewNumber;
import org.apache.sling.discovery.commons.report.Reporter;
import org.osgi.util.tracker.ServiceTracker;

/** Where the fencing token of a view comes from. */
final class TokenSource {

    private final ServiceTracker<Reporter, Reporter> reporters;

    TokenSource(ServiceTracker<Reporter, Reporter> reporters) {
        this.reporters = reporters;
    }

    /** Returns the token of the leadership of a view, or 0 while it cannot be known. */
    long of(TopologyView view) {
        OptionalLong number = ViewNumber.of(view);
        return Optional.ofNullable(reporters.getService())
                .flatMap(reporter -> reporter.report().view())
                .filter(shown -> number.isPresent() && shown.number() == number.getAsLong())
                .map(shown -> shown.token())
                .orElse(0L);
    }
}
