// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.sample.readme;

import org.apache.sling.discovery.PropertyProvider;
import org.osgi.service.component.annotations.Component;

@Component(property = PropertyProvider.PROPERTY_PROPERTIES + "=my.name")
public class MyProperty implements PropertyProvider {
    @Override
    public String getProperty(String name) {
        return "my value";
    }
}
