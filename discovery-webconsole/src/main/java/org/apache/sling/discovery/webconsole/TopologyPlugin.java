// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole;

import jakarta.servlet.Servlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.apache.sling.discovery.commons.report.Operator;
import org.apache.sling.discovery.commons.report.Reporter;
import org.apache.sling.discovery.webconsole.markup.Addresses;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;

/**
 * The plugin of the console: pages, their forms and the JSON document. The console itself adds its frame and serves the
 * resources below {@code res} of this bundle.
 */
@Component(
        service = Servlet.class,
        property = {
            "felix.webconsole.label=" + Addresses.LABEL,
            "felix.webconsole.title=Topology",
            "felix.webconsole.category=Sling",
            "felix.webconsole.css=/" + Addresses.LABEL + "/res/topology.css"
        })
public final class TopologyPlugin extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Reference(
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    private transient volatile Reporter reporter;

    @Reference(
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    private transient volatile Operator operator;

    private final transient Router router = new Router();

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        router.answer(request, response, reporter, operator);
    }
}
