// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it;

import org.junit.After;
import org.junit.Before;
import org.junit.runner.RunWith;
import org.ops4j.pax.exam.ProbeBuilder;
import org.ops4j.pax.exam.TestProbeBuilder;
import org.ops4j.pax.exam.junit.PaxExam;
import org.ops4j.pax.exam.spi.reactors.ExamReactorStrategy;
import org.ops4j.pax.exam.spi.reactors.PerClass;
import org.osgi.framework.FrameworkUtil;

/**
 * Tests that run in a container; there is one for all methods of a class. Only the configuration runs outside, in a separate
 * object.
 */
@RunWith(PaxExam.class)
@ExamReactorStrategy(PerClass.class)
public abstract class ContainerTest {

    private Container container;

    final Container container() {
        return container;
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
}
