// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.testing.fault;

import java.io.IOException;
import java.io.InputStream;
import java.util.Map;

/** Loads all classes of the product itself, those that were compiled with a fault instead of those of the build. */
final class FaultLoader extends ClassLoader {

    private static final String PRODUCT = "io.github.discoveryzk.";

    private final Map<String, byte[]> faulty;

    FaultLoader(Map<String, byte[]> faulty) {
        super(FaultLoader.class.getClassLoader());
        this.faulty = faulty;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(PRODUCT)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded == null ? define(name) : loaded;
        }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
        byte[] bytes = faulty.containsKey(name) ? faulty.get(name) : built(name);
        return defineClass(name, bytes, 0, bytes.length);
    }

    private byte[] built(String name) throws ClassNotFoundException {
        try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }
}
