// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.osgi;

import io.github.discoveryzk.report.Metric;
import io.github.discoveryzk.report.Operator;
import io.github.discoveryzk.report.Reporter;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.AttributeNotFoundException;
import javax.management.DynamicMBean;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.osgi.framework.BundleContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What consoles and monitoring systems find of an instance: the services that report on it and operate it, its metrics in JMX and, where
 * the container has their API, health checks and registries. In JMX there is an attribute for each value of {@link Metric#flat}, all of
 * them read-only numbers.
 */
final class Monitoring implements DynamicMBean, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Monitoring.class);

    private final Reporter reporter;
    private final List<AutoCloseable> offered = new ArrayList<>();

    /** Offers them. Of instances with one id in a process, the first has the name in JMX. */
    Monitoring(BundleContext context, String instanceId, Reporter reporter, Operator operator) {
        this.reporter = reporter;
        offered.add(context.registerService(Reporter.class, reporter, null)::unregister);
        offered.add(context.registerService(Operator.class, operator, null)::unregister);
        String name = "io.github.discoveryzk:type=Metrics,id=" + ObjectName.quote(instanceId);
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        try {
            ObjectName registered =
                    server.registerMBean(this, new ObjectName(name)).getObjectName();
            offered.add(() -> server.unregisterMBean(registered));
        } catch (JMException e) {
            LOG.warn("The metrics cannot be read from JMX, because {} cannot be registered: {}", name, e.toString());
        }
        if (knows(context, "org.apache.felix.hc.api.HealthCheck")) {
            HealthChecks.register(context, reporter).forEach(each -> offered.add(each::unregister));
        }
        if (knows(context, "com.codahale.metrics.MetricRegistry")) {
            MetricRegistries registries = new MetricRegistries(context, reporter);
            registries.open();
            offered.add(registries::close);
        }
    }

    /** Says whether this bundle can load a class of an API that need not be in the container. */
    static boolean knows(BundleContext context, String type) {
        try {
            return context.getBundle().loadClass(type) != null;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    @Override
    public void close() {
        for (AutoCloseable each : offered) {
            try {
                each.close();
            } catch (Exception e) { // Another program may have removed the bean.
                LOG.debug("It is not offered any more", e);
            }
        }
    }

    @Override
    public Object getAttribute(String attribute) throws AttributeNotFoundException {
        return Optional.ofNullable(Metric.flat(reporter.metrics()).get(attribute))
                .orElseThrow(() -> new AttributeNotFoundException("discovery has no metric " + attribute));
    }

    @Override
    public AttributeList getAttributes(String[] attributes) {
        Map<String, Double> values = Metric.flat(reporter.metrics());
        values.keySet().retainAll(List.of(attributes));
        AttributeList found = new AttributeList();
        values.forEach((name, value) -> found.add(new Attribute(name, value)));
        return found;
    }

    @Override
    public MBeanInfo getMBeanInfo() {
        Stream<MBeanAttributeInfo> attributes = Metric.flat(reporter.metrics()).keySet().stream()
                .map(each -> new MBeanAttributeInfo(each, "java.lang.Double", "discovery_" + each, true, false, false));
        return new MBeanInfo(
                getClass().getName(), "Metrics", attributes.toArray(MBeanAttributeInfo[]::new), null, null, null);
    }

    @Override
    public void setAttribute(Attribute attribute) throws AttributeNotFoundException {
        throw new AttributeNotFoundException("metrics are read-only");
    }

    @Override
    public AttributeList setAttributes(AttributeList attributes) {
        return new AttributeList();
    }

    @Override
    public Object invoke(String action, Object[] arguments, String[] types) {
        throw new UnsupportedOperationException("metrics have no operations");
    }
}
