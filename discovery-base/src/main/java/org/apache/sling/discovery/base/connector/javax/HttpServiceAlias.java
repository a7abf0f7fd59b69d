// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector.javax;

import javax.servlet.ServletException;
import org.apache.sling.discovery.base.connector.endpoint.Whiteboard;
import org.apache.sling.discovery.base.connector.wire.RequestPath;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceReference;
import org.osgi.service.http.HttpService;
import org.osgi.service.http.NamespaceException;

/** The endpoint of connectors at an HTTP service without whiteboard. */
public final class HttpServiceAlias implements AutoCloseable {
    private final BundleContext bundle;
    private final ServiceReference<?> reference;
    private final HttpService service;

    /**
     * Registers the servlet.
     *
     * @param reference the HTTP service
     * @param endpoint replies to requests, and knows at which path the service offers it
     * @throws IllegalStateException when the service has gone or refuses the servlet
     */
    public HttpServiceAlias(BundleContext bundle, ServiceReference<?> reference, Whiteboard.Endpoint endpoint) {
        this.bundle = bundle;
        this.reference = reference;
        service = (HttpService) bundle.getService(reference);
        if (service == null) {
            throw new IllegalStateException("the HTTP service has gone");
        }
        try {
            service.registerServlet(
                    RequestPath.SERVLET, new EndpointServlet(endpoint, RequestPath.SERVLET), null, null);
        } catch (ServletException | NamespaceException e) {
            release();
            throw new IllegalStateException("the HTTP service refuses " + RequestPath.SERVLET, e);
        } catch (RuntimeException | Error e) {
            release();
            throw e;
        }
    }

    /** Unregisters the servlet. */
    @Override
    public void close() {
        try {
            service.unregister(RequestPath.SERVLET);
        } catch (IllegalArgumentException | IllegalStateException e) {
            // The service has gone, and the servlet with it.
        } finally {
            release();
        }
    }

    private void release() {
        try {
            bundle.ungetService(reference);
        } catch (IllegalStateException e) {
            // The framework has released the services that a bundle used that has stopped.
        }
    }
}
