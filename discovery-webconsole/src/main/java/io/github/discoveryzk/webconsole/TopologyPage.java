// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.webconsole;

import io.github.discoveryzk.report.AddedSection;
import io.github.discoveryzk.report.Operator;
import io.github.discoveryzk.report.Reporter;
import io.github.discoveryzk.webconsole.http.Reply;
import io.github.discoveryzk.webconsole.http.Request;
import io.github.discoveryzk.webconsole.http.Router;
import java.util.List;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.framework.FrameworkEvent;
import org.osgi.framework.FrameworkListener;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The page in the web console, with its forms and JSON document, whichever servlets the console uses. May be used
 * from any thread.
 */
@Component(
        service = {},
        immediate = true)
public final class TopologyPage implements FrameworkListener {
    private static final Logger LOG = LoggerFactory.getLogger(TopologyPage.class);

    private BundleContext bundle;
    private Consoles consoles;

    @Reference(
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    private volatile Operator operator;

    @Reference(
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    private volatile Reporter reporter;

    @Reference(policy = ReferencePolicy.DYNAMIC, policyOption = ReferencePolicyOption.GREEDY)
    private volatile List<AddedSection> added = List.of();

    private final Router router = new Router(() -> added);

    @Activate
    void activate(BundleContext context) {
        bundle = context;
        consoles = new Consoles(context, this::answer);
        consoles.open();
        context.addFrameworkListener(this);
        if (context.getBundle(Constants.SYSTEM_BUNDLE_LOCATION).getState() == Bundle.ACTIVE) {
            logAbsence();
        }
    }

    @Deactivate
    void deactivate() {
        bundle.removeFrameworkListener(this);
        consoles.close();
    }

    /** Waits until the container has started, because its console may start later than this bundle. */
    @Override
    public void frameworkEvent(FrameworkEvent event) {
        if (event.getType() == FrameworkEvent.STARTED) {
            logAbsence();
        }
    }

    private void logAbsence() {
        if (consoles.isEmpty()) {
            LOG.info(
                    "No web console is active, so there is no topology page. Shell commands and inventory work without it."
                            + " For the page install Apache Felix Web Console 4 with HTTP service 4 (javax servlets),"
                            + " or Web Console 5 with HTTP service 5 or later (jakarta servlets).");
        }
    }

    Reply answer(Request request) {
        return router.answer(request, reporter, operator);
    }
}
