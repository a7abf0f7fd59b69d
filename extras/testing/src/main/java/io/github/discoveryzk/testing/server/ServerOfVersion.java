// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.testing.server;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The classes of another version of ZooKeeper and of {@link TestServer}; all others are those of this process. */
public final class ServerOfVersion extends URLClassLoader {
    private static final List<String> OWN =
            List.of("org.apache.zookeeper.", "org.apache.jute.", TestServer.class.getName());

    private ServerOfVersion(List<URL> urls) {
        super(urls.toArray(URL[]::new), TestServer.class.getClassLoader());
    }

    /**
     * Starts a server on a free port.
     *
     * @param version a folder of {@code target/servers}, where the build has put its jars
     * @param data the folder for the data of the server
     */
    public static StandaloneServer start(String version, Path data) throws Exception {
        List<URL> urls = new ArrayList<>();
        urls.add(TestServer.class.getProtectionDomain().getCodeSource().getLocation());
        Path folder = Path.of("target", "servers", version);
        try (Stream<Path> jars = Files.list(folder)) {
            for (Path jar : jars.toList()) {
                urls.add(jar.toUri().toURL());
            }
        }
        ServerOfVersion loader = new ServerOfVersion(urls);
        StandaloneServer server = (StandaloneServer) loader.loadClass(TestServer.class.getName())
                .getConstructor(Path.class)
                .newInstance(data);
        String running = (String) loader.loadClass("org.apache.zookeeper.Version")
                .getMethod("getVersion")
                .invoke(null);
        if (!running.startsWith(version)) {
            throw new IOException(folder + " has the jars of ZooKeeper " + running);
        }
        return server;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (OWN.stream().noneMatch(name::startsWith)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded == null ? findClass(name) : loaded;
        }
    }
}
