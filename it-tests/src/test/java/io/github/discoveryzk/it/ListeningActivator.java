// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it;

import java.util.Hashtable;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.sling.discovery.InstanceDescription;
import org.apache.sling.discovery.PropertyProvider;
import org.apache.sling.discovery.TopologyEvent;
import org.apache.sling.discovery.TopologyEvent.Type;
import org.apache.sling.discovery.TopologyEventListener;
import org.apache.sling.discovery.TopologyView;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.ServiceRegistration;

/**
 * An application in a bundle of its own: two listeners, and a property provider whose value each event changes. What the
 * listeners receive goes to the test as text, because the test has other classes of the API.
 */
public final class ListeningActivator implements BundleActivator {

    /** The property of this instance that each event changes. */
    static final String PROPERTY = "counted";

    /** Instead of a type: an event that comes during another one, or whose old view is not the one of the event before. */
    static final String BROKEN = "BROKEN";

    private final AtomicInteger count = new AtomicInteger();

    /** Called by the framework. */
    public ListeningActivator() {}

    @Override
    public void start(BundleContext context) {
        ServiceRegistration<PropertyProvider> provider = context.registerService(
                PropertyProvider.class, asked -> String.valueOf(count.incrementAndGet()), properties());
        for (String name : new String[] {"first", "second"}) {
            context.registerService(
                    TopologyEventListener.class,
                    new Listener(record(context, name), () -> provider.setProperties(properties())),
                    new Hashtable<>());
        }
    }

    @Override
    public void stop(BundleContext context) {
        // The framework unregisters the services.
    }

    private static Hashtable<String, ?> properties() {
        return new Hashtable<>(Map.of(PropertyProvider.PROPERTY_PROPERTIES, PROPERTY));
    }

    @SuppressWarnings("unchecked")
    private static Consumer<String> record(BundleContext context, String name) {
        ServiceReference<?> records = context.getServiceReference(Function.class.getName());
        return ((Function<String, Consumer<String>>) context.getService(records)).apply(name);
    }

    private static final class Listener implements TopologyEventListener {
        private final Consumer<String> record;
        private final Runnable change;
        private final AtomicInteger calls = new AtomicInteger();
        private volatile TopologyView known;

        private Listener(Consumer<String> record, Runnable change) {
            this.record = record;
            this.change = change;
        }

        @Override
        public void handleTopologyEvent(TopologyEvent event) {
            boolean alone = calls.incrementAndGet() == 1;
            TopologyView view = event.getNewView();
            record.accept((alone && follows(event) ? event.getType() : BROKEN) + " " + members(view));
            if (view != null) {
                known = view;
            }
            if (event.getType() == Type.TOPOLOGY_INIT || event.getType() == Type.TOPOLOGY_CHANGED) {
                change();
            }
            calls.decrementAndGet();
        }

        private boolean follows(TopologyEvent event) {
            return event.getOldView() == (event.getType() == Type.TOPOLOGY_INIT ? null : known);
        }

        private static String members(TopologyView view) {
            return view == null || !view.isCurrent()
                    ? ""
                    : view.getInstances().stream()
                            .map(InstanceDescription::getSlingId)
                            .sorted()
                            .collect(Collectors.joining(","));
        }

        private void change() {
            try {
                change.run();
            } catch (IllegalStateException e) {
                // The bundle is being stopped.
                return;
            }
        }
    }
}
