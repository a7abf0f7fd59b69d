// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.osgi;

import io.github.discoveryzk.model.ForeignText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The source of the instance id: the framework property {@value #PROPERTY}, else Sling's settings service if there is one, else
 * a file in the private storage of this bundle, written at the first start. A copied container copies that file; the copy is
 * refused by the cluster until it gets its own id.
 */
final class InstanceIdSource {

    static final String PROPERTY = "io.github.discoveryzk.instanceId";

    private static final Logger LOG = LoggerFactory.getLogger(InstanceIdSource.class);

    private final BundleContext context;

    InstanceIdSource(BundleContext context) {
        this.context = context;
    }

    String instanceId() {
        return legal(context.getProperty(PROPERTY), "framework property " + PROPERTY)
                .or(() -> legal(settingsId(), UnimportedService.SETTINGS).map(this::store))
                .orElseGet(this::storedId);
    }

    private static Optional<String> legal(String id, String source) {
        if (id == null || id.isBlank()) {
            return Optional.empty();
        }
        if (!ForeignText.isId(id.trim())) {
            LOG.warn(
                    "{} gives the instance id \"{}\", which is not usable: give 1 to 200 letters, digits, dots, underscores"
                            + " or hyphens; the next source is used instead",
                    source,
                    id);
            return Optional.empty();
        }
        return Optional.of(id.trim());
    }

    private String settingsId() {
        ServiceReference<?> reference = context.getServiceReference(UnimportedService.SETTINGS);
        if (reference == null) {
            return null;
        }
        try {
            Optional<String> id = Optional.<Object>ofNullable(context.getService(reference))
                    .flatMap(settings ->
                            UnimportedService.get(reference, settings, UnimportedService.SETTINGS, "getSlingId"));
            if (id.isEmpty()) {
                LOG.warn("{} does not return its id; the instance uses its own", UnimportedService.SETTINGS);
            }
            return id.orElse(null);
        } finally {
            context.ungetService(reference);
        }
    }

    /** Keeps the id, so that it stays the same if the settings service starts later than this bundle next time. */
    private String store(String id) {
        Path file = file();
        try {
            Files.writeString(file, id);
        } catch (IOException e) {
            LOG.warn("Instance id {} cannot be kept in {}", id, file, e);
        }
        return id;
    }

    private Path file() {
        return context.getDataFile("instance.id").toPath();
    }

    private String storedId() {
        Path file = file();
        try {
            if (Files.exists(file)) {
                Optional<String> stored = legal(Files.readString(file), "file " + file);
                if (stored.isPresent()) {
                    return stored.get();
                }
            }
        } catch (IOException e) {
            LOG.warn("Instance id cannot be read from {}; a new one is created", file, e);
        }
        return store(UUID.randomUUID().toString());
    }
}
