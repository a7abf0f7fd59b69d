// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it;

import static org.ops4j.pax.exam.CoreOptions.composite;
import static org.ops4j.pax.exam.CoreOptions.options;

import io.github.discoveryzk.it.cluster.PlainInstance;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.After;
import org.junit.Before;
import org.junit.runner.RunWith;
import org.ops4j.pax.exam.Configuration;
import org.ops4j.pax.exam.Option;
import org.ops4j.pax.exam.ProbeBuilder;
import org.ops4j.pax.exam.TestProbeBuilder;
import org.ops4j.pax.exam.junit.PaxExam;
import org.ops4j.pax.exam.spi.reactors.ExamReactorStrategy;
import org.ops4j.pax.exam.spi.reactors.PerClass;
import org.osgi.framework.FrameworkUtil;

/**
 * Tests that run in a container, in which an instance is a member of a cluster with the name of the class; there is one container for
 * all methods of a class. Only the configuration runs outside, in a separate object.
 */
@RunWith(PaxExam.class)
@ExamReactorStrategy(PerClass.class)
public abstract class ContainerTest {

    /** The instance id, unless a test provides another one. */
    protected static final String ID = "container";

    private Container container;

    protected final Container container() {
        return container;
    }

    /** Returns the name of the cluster. */
    protected final String cluster() {
        return getClass().getSimpleName();
    }

    /** Returns the settings of the back end. */
    protected Map<String, String> settings() {
        return Container.settings(cluster());
    }

    /** Returns the options beside those of a member of a cluster, which come before our bundles. */
    protected Option[] more() {
        return options();
    }

    @Configuration
    public Option[] configured() {
        return options(Setup.member(getClass(), settings(), ID), composite(more()), Setup.ourBundles());
    }

    @ProbeBuilder
    public TestProbeBuilder probe(TestProbeBuilder probe) {
        return Setup.probe(probe);
    }

    @Before
    public void enter() {
        container = new Container(FrameworkUtil.getBundle(getClass()).getBundleContext());
    }

    @After
    public void takeBack() {
        container.close();
    }

    /** Returns the name of the bundle with the test. */
    protected final String ownBundle() {
        return FrameworkUtil.getBundle(getClass()).getSymbolicName();
    }

    /** Returns what a command prints: without a shell, to the output of the process. */
    protected final String said(String command, Object... arguments) {
        PrintStream console = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            container().call("(osgi.command.function=" + command + ")", command, arguments);
        } finally {
            System.setOut(console);
        }
        return printed.toString(StandardCharsets.UTF_8);
    }

    /** Joins the cluster of this container. */
    protected final PlainInstance join(String id) {
        return PlainInstance.join(cluster(), id);
    }
}
