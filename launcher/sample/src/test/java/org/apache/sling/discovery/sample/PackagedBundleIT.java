// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.sample;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.apache.sling.discovery.PropertyProvider;
import org.apache.sling.discovery.TopologyEventListener;
import org.apache.sling.discovery.commons.leader.LeaderLease;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * Checks the deployed jar, because packing turns the annotations into descriptors: an error in that step leaves a component
 * that is activated without a reference, which no other test would detect.
 */
class PackagedBundleIT {

    private static final Path JAR = Path.of(System.getProperty("sample.jar"));
    private static final List<String> LIFECYCLE = List.of("activate", "deactivate", "modified");
    private static final List<String> BINDING = List.of("bind", "unbind", "updated");

    private final Map<String, Element> components = new LinkedHashMap<>();
    private Manifest manifest;
    private URLClassLoader classes;

    @BeforeEach
    void open() throws Exception {
        // Not through the parent: the classes must come from the jar, not from the test's class path.
        ClassLoader rest = new ClassLoader(getClass().getClassLoader()) {
            @Override
            protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
                if (name.startsWith("org.apache.sling.discovery.sample.")) {
                    throw new ClassNotFoundException(name);
                }
                return super.loadClass(name, resolve);
            }
        };
        classes = new URLClassLoader(new URL[] {JAR.toUri().toURL()}, rest);
        try (JarFile jar = new JarFile(JAR.toFile())) {
            manifest = jar.getManifest();
            for (var entry : jar.stream().toList()) {
                if (entry.getName().matches("OSGI-INF/[^/]+\\.xml")) {
                    try (InputStream xml = jar.getInputStream(entry)) {
                        components.put(entry.getName(), root(xml));
                    }
                }
            }
        }
    }

    @AfterEach
    void close() throws IOException {
        classes.close();
    }

    @Test
    void theManifestNamesEachDescriptorAndAsksForAComponentRuntime() {
        assertThat(manifest.getMainAttributes().getValue("Service-Component").split(","))
                .containsExactlyInAnyOrderElementsOf(components.keySet())
                .hasSize(3);
        assertThat(manifest.getMainAttributes().getValue("Require-Capability"))
                .contains("osgi.extender;filter:=\"(&(osgi.extender=osgi.component)(version>=1.1)(!(version>=2.0)))\"");
    }

    @Test
    void eachImplementationHasEachMethodThatItsDescriptorNames() throws Exception {
        for (Map.Entry<String, Element> component : components.entrySet()) {
            assertThat(faults(component.getValue())).as(component.getKey()).isEmpty();
        }
    }

    @Test
    void eachServiceIsDeclaredImplementedAndOffered() throws Exception {
        List<String> services = new ArrayList<>();
        for (Element component : components.values()) {
            for (Element provide : elements(component, "provide")) {
                String service = provide.getAttribute("interface");
                services.add(service);
                assertThat(classes.loadClass(service)).isAssignableFrom(implementation(component));
                assertThat(manifest.getMainAttributes().getValue("Provide-Capability"))
                        .contains("osgi.service;objectClass:List<String>=\"" + service + "\"");
            }
        }
        assertThat(services)
                .containsExactlyInAnyOrder(TopologyEventListener.class.getName(), PropertyProvider.class.getName());
    }

    @Test
    void thePropertyProviderListsItsNamesAndReceivesChanges() {
        Element provider = components.get("OSGI-INF/" + SamplePropertyProvider.class.getName() + ".xml");
        Element names = elements(provider, "property").stream()
                .filter(property -> property.getAttribute("name").equals(PropertyProvider.PROPERTY_PROPERTIES))
                .findFirst()
                .orElseThrow();

        assertThat(names.getTextContent().trim().split("\\s+")).containsExactly("sample.value1", "sample.value2");
        assertThat(provider.getAttribute("modified")).isEqualTo("configure");
    }

    @Test
    void whatRunsOnTheLeaderNeedsTheLeaseAndNothingElse() {
        Element task = components.get("OSGI-INF/" + LeaderTask.class.getName() + ".xml");
        assertThat(elements(task, "reference")).singleElement().satisfies(reference -> {
            assertThat(reference.getAttribute("interface")).isEqualTo(LeaderLease.class.getName());
            assertThat(reference.getAttribute("cardinality")).isIn("", "1..1");
            assertThat(reference.getAttribute("policy")).isIn("", "static");
        });
        assertThat(elements(task, "service")).isEmpty();
    }

    @Test
    void theTextsOfTheConfigurationCarryNoDate() throws Exception {
        String name = "OSGI-INF/l10n/" + SamplePropertyProvider.class.getName() + ".properties";
        try (JarFile jar = new JarFile(JAR.toFile());
                InputStream texts = jar.getInputStream(jar.getEntry(name))) {
            assertThat(new String(texts.readAllBytes(), StandardCharsets.ISO_8859_1))
                    .contains("First value")
                    .doesNotContain("#");
        }
    }

    /** Returns a sentence for each method that the descriptor names and the class lacks. */
    private List<String> faults(Element component) throws Exception {
        List<String> faults = new ArrayList<>();
        Class<?> implementation = implementation(component);
        for (String attribute : LIFECYCLE) {
            String name = component.getAttribute(attribute);
            if (!name.isEmpty() && methods(implementation, name).noneMatch(PackagedBundleIT::isLifecycle)) {
                faults.add(attribute + " method " + name + " is missing");
            }
        }
        for (Element reference : elements(component, "reference")) {
            Class<?> service = classes.loadClass(reference.getAttribute("interface"));
            if (reference.hasAttribute("parameter")) {
                int parameter = Integer.parseInt(reference.getAttribute("parameter"));
                int count = Integer.parseInt(component.getAttribute("init"));
                if (Arrays.stream(implementation.getConstructors())
                        .map(Constructor::getParameterTypes)
                        .noneMatch(types -> types.length == count && types[parameter] == service)) {
                    faults.add("no constructor with " + count + " parameters takes " + service);
                }
                continue;
            }
            for (String attribute : BINDING) {
                String name = reference.getAttribute(attribute);
                boolean required = !attribute.equals("updated");
                if (name.isEmpty() ? required : methods(implementation, name).noneMatch(m -> isBinding(m, service))) {
                    faults.add(reference.getAttribute("name") + " has no " + attribute + " method " + name);
                }
            }
        }
        return faults;
    }

    private static boolean isLifecycle(Method method) {
        return method.getReturnType() == void.class
                && Arrays.stream(method.getParameterTypes())
                        .allMatch(type -> type == Map.class
                                || type == int.class
                                || type.getName().equals("org.osgi.framework.BundleContext")
                                || type.getName().equals("org.osgi.service.component.ComponentContext"));
    }

    private static boolean isBinding(Method method, Class<?> service) {
        Class<?>[] types = method.getParameterTypes();
        return method.getReturnType() == void.class
                && types.length >= 1
                && types[0].isAssignableFrom(service)
                && (types.length == 1 || (types.length == 2 && types[1] == Map.class));
    }

    private static Stream<Method> methods(Class<?> type, String name) {
        return Stream.<Class<?>>iterate(type, next -> next != null, Class::getSuperclass)
                .flatMap(next -> Arrays.stream(next.getDeclaredMethods()))
                .filter(method -> method.getName().equals(name));
    }

    private Class<?> implementation(Element component) throws ClassNotFoundException {
        return classes.loadClass(elements(component, "implementation").get(0).getAttribute("class"));
    }

    private static Element root(InputStream xml) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(xml)
                .getDocumentElement();
    }

    private static List<Element> elements(Element parent, String name) {
        NodeList nodes = parent.getElementsByTagName(name);
        List<Element> elements = new ArrayList<>();
        for (int i = 0; i < nodes.getLength(); i++) {
            elements.add((Element) nodes.item(i));
        }
        return elements;
    }
}
