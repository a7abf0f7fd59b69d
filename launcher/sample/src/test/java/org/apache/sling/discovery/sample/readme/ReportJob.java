// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.sample.readme;

import org.apache.sling.discovery.commons.leader.LeaderLease;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;

@Component(service = ReportJob.class)
public class ReportJob {
    private final LeaderLease lease;
    private final Report report;

    @Activate // this instance has become the leader
    public ReportJob(@Reference LeaderLease lease, @Reference Report report) {
        this.lease = lease;
        this.report = report;
    }

    public void run() {
        report.write(lease.token(), "written by the leader");
    }

    @Deactivate
    void stop() {
        // return when the work has stopped: the change of leader waits for it
    }
}
