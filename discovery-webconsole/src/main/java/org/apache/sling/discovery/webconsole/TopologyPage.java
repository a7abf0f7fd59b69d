// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole;

import java.io.IOException;
import org.apache.sling.discovery.commons.report.Operator;
import org.apache.sling.discovery.commons.report.Reporter;
import org.apache.sling.discovery.webconsole.exchange.Request;
import org.apache.sling.discovery.webconsole.exchange.Response;
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

/**
 * The page in the web console, with its forms and JSON document, whichever servlets the console uses. May be used
 * from any thread.
 */
@Component(
        service = {},
        immediate = true)
public final class TopologyPage implements FrameworkListener {
    private final Router router = new Router();
    private BundleContext bundle;
    private Consoles consoles;
    private volatile Reporter reporter;

    @Reference(
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    private volatile Operator operator;

    @Reference(
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    void bindReporter(Reporter next) {
        reporter = next;
    }

    void updatedReporter(Reporter next) {
        // The service is the same; its properties are not used here.
    }

    void unbindReporter(Reporter gone) {
        if (reporter == gone) {
            reporter = null;
        }
    }

    @Activate
    void activate(BundleContext context) {
        bundle = context;
        consoles = new Consoles(context, this::answer);
        consoles.open();
        context.addFrameworkListener(this);
        if (context.getBundle(Constants.SYSTEM_BUNDLE_LOCATION).getState() == Bundle.ACTIVE) {
            consoles.logAbsence();
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
            consoles.logAbsence();
        }
    }

    void answer(Request request, Response response) throws IOException {
        router.answer(request, response, reporter, operator);
    }
}
