// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.testing.fault;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** The sources of main code, found next to the module whose tests run, and a compiler of changed sources, in memory. */
final class Sources {

    private static final List<String> OPTIONS =
            List.of("-proc:none", "-nowarn", "-g", "-classpath", System.getProperty("java.class.path"));

    private Sources() {}

    /** Returns the source of a class of any module. */
    static String of(String type) {
        Path file = Path.of("src/main/java", type.replace('.', '/') + ".java");
        Path root = Path.of("").toAbsolutePath().getParent();
        try (Stream<Path> modules = Files.list(root)) {
            List<Path> found = modules.map(module -> module.resolve(file))
                    .filter(Files::exists)
                    .toList();
            if (found.size() != 1) {
                throw new IllegalStateException("sources of " + type + " in the modules of " + root + ": " + found);
            }
            return Files.readString(found.get(0));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns where a text begins and ends in a source; white space matches any white space. */
    static List<int[]> places(String text, String source) {
        String pattern =
                Arrays.stream(text.strip().split("\\s+")).map(Pattern::quote).collect(Collectors.joining("\\s+"));
        Matcher matcher = Pattern.compile(pattern).matcher(source);
        List<int[]> places = new ArrayList<>();
        while (matcher.find()) {
            places.add(new int[] {matcher.start(), matcher.end()});
        }
        return places;
    }

    /** Returns the class files of the sources, by binary name. */
    static Map<String, byte[]> compile(Map<String, String> sources) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter problems = new StringWriter();
        Map<String, byte[]> classes = new HashMap<>();
        try (Memory memory = new Memory(compiler.getStandardFileManager(null, null, null))) {
            List<SimpleJavaFileObject> units = sources.entrySet().stream()
                    .map(each -> unit(each.getKey(), each.getValue()))
                    .toList();
            if (!compiler.getTask(problems, memory, null, OPTIONS, null, units).call()) {
                throw new IllegalStateException("a fault does not compile: " + problems);
            }
            memory.written.forEach((type, bytes) -> classes.put(type, bytes.toByteArray()));
            return classes;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static SimpleJavaFileObject unit(String type, String content) {
        return new SimpleJavaFileObject(
                URI.create("memory:/" + type.replace('.', '/') + ".java"), JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return content;
            }
        };
    }

    /** Keeps class files in memory. */
    private static final class Memory extends ForwardingJavaFileManager<JavaFileManager> {

        private final Map<String, ByteArrayOutputStream> written = new HashMap<>();

        private Memory(JavaFileManager files) {
            super(files);
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
                Location location, String type, JavaFileObject.Kind kind, FileObject sibling) {
            return new SimpleJavaFileObject(URI.create("memory:/" + type.replace('.', '/') + ".class"), kind) {
                @Override
                public OutputStream openOutputStream() {
                    return written.computeIfAbsent(type, any -> new ByteArrayOutputStream());
                }
            };
        }
    }
}
