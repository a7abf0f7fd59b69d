// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.osgi;

import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.stream.Stream;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.AttributeNotFoundException;
import javax.management.DynamicMBean;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanInfo;
import javax.management.ObjectName;
import org.apache.sling.discovery.commons.report.Metric;
import org.apache.sling.discovery.commons.report.Reporter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The metrics of an instance in JMX: an attribute for each value of {@link Metric#flat}, all of them read-only numbers. */
final class MetricsBean implements DynamicMBean, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(MetricsBean.class);

    private final Reporter reporter;
    private final String name;
    private boolean registered;

    /** Registers the bean. Of instances with one id in a process, the first has the name. */
    MetricsBean(String instanceId, Reporter reporter) {
        this.reporter = reporter;
        this.name = "org.apache.sling.discovery:type=Metrics,id=" + ObjectName.quote(instanceId);
        try {
            ManagementFactory.getPlatformMBeanServer().registerMBean(this, new ObjectName(name));
            registered = true;
        } catch (JMException e) {
            LOG.warn("The metrics cannot be read from JMX, because {} cannot be registered: {}", name, e.toString());
        }
    }

    @Override
    public void close() {
        try {
            if (registered) {
                ManagementFactory.getPlatformMBeanServer().unregisterMBean(new ObjectName(name));
            }
        } catch (JMException e) {
            LOG.debug("{} is unregistered already", name, e);
        }
    }

    @Override
    public Object getAttribute(String attribute) throws AttributeNotFoundException {
        Double value = Metric.flat(reporter.metrics()).get(attribute);
        if (value == null) {
            throw new AttributeNotFoundException("there is no metric " + attribute);
        }
        return value;
    }

    @Override
    public AttributeList getAttributes(String[] attributes) {
        Map<String, Double> values = Metric.flat(reporter.metrics());
        AttributeList found = new AttributeList();
        Stream.of(attributes)
                .filter(values::containsKey)
                .forEach(each -> found.add(new Attribute(each, values.get(each))));
        return found;
    }

    @Override
    public MBeanInfo getMBeanInfo() {
        MBeanAttributeInfo[] attributes = Metric.flat(reporter.metrics()).keySet().stream()
                .map(each ->
                        new MBeanAttributeInfo(each, Double.class.getName(), "discovery_" + each, true, false, false))
                .toArray(MBeanAttributeInfo[]::new);
        return new MBeanInfo(MetricsBean.class.getName(), "Metrics of discovery", attributes, null, null, null);
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
