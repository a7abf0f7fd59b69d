// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.discoveryzk.testing.fault.PlantedFault;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.pastalab.fray.junit.junit5.FrayTestRunExtension;
import org.pastalab.fray.junit.junit5.annotations.FrayTest;

/**
 * Shows that the interleavings can fail: each race of the list is planted into main code, the test that it names must find it, and the
 * recorded order of steps must fail with an error of the same type once more. The system property {@code discovery.simulation.fault} selects races
 * that have its text in their name.
 */
class PlantedRacesInterleavings {

    /** Fray loads the classes of each test anew from there. */
    private static final String CLASS_PATH = "java.class.path";

    static Stream<PlantedFault> races() {
        String only = System.getProperty("discovery.simulation.fault", "");
        return PlantedFault.read("/faults/races.txt").stream()
                .filter(race -> race.name().contains(only));
    }

    @ParameterizedTest
    @MethodSource("races")
    void areFoundAndFoundAgainInTheRecordedOrder(PlantedFault race, @TempDir Path planted) throws Exception {
        race.compileInto(planted);
        String[] test = ("io.github.discoveryzk." + race.caughtBy().orElseThrow()).split("#");
        Method method = Class.forName(test[0]).getDeclaredMethod(test[1]);
        Path report = Path.of(System.getProperty("fray.workDir"), test);
        String before = System.getProperty(CLASS_PATH);
        System.setProperty(CLASS_PATH, planted + File.pathSeparator + before);
        try {
            // The first time the JDK makes classes of its own, in steps that no other order has.
            failure(method, Map.of("iterations", 1));
            String recording = report.resolve("recording").toString();
            boolean repeated = false;
            // Threads of the JDK that Fray does not schedule may take a turn that the recording does not have.
            for (int attempt = 0; attempt < 3 && !repeated; attempt++) {
                Throwable found = failure(method, Map.of());
                assertThat(found).as("what is found of: " + race).isNotNull();
                System.out.println(race + " - " + lastLine(report));
                Throwable again = failure(method, Map.of("replay", recording));
                System.out.println(race + " - found: " + found + ", again: " + again);
                // An order that does not fit the recording any more fails, too, but not as the test does. Each run has classes of its own.
                repeated = again != null
                        && again.getClass().getName().equals(found.getClass().getName());
            }
            assertThat(repeated).as("what is found again").isTrue();
        } finally {
            System.setProperty(CLASS_PATH, before);
        }
    }

    private static Throwable failure(Method method, Map<String, Object> settings) {
        FrayTest annotation = method.getAnnotation(FrayTest.class);
        FrayTest changed = (FrayTest) Proxy.newProxyInstance(
                FrayTest.class.getClassLoader(), new Class<?>[] {FrayTest.class}, (proxy, setting, none) -> {
                    if (setting.getName().equals("resetClassLoaderPerIteration")) {
                        return true;
                    }
                    return settings.getOrDefault(setting.getName(), setting.invoke(annotation));
                });
        return catchThrowable(() -> new FrayTestRunExtension().launchFrayTest(method.getDeclaringClass().getName(), method.getName(), changed));
    }

    private static String lastLine(Path report) throws IOException {
        return Files.readString(report.resolve("fray.log")).strip().replaceFirst("(?s).*\n", "");
    }
}
