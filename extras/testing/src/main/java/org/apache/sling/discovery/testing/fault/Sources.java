// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.testing.fault;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
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
import javax.tools.DiagnosticCollector;
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
        DiagnosticCollector<JavaFileObject> problems = new DiagnosticCollector<>();
        try (Memory memory = new Memory(compiler.getStandardFileManager(problems, null, null))) {
            List<Source> units = sources.entrySet().stream()
                    .map(each -> new Source(each.getKey(), each.getValue()))
                    .toList();
            if (!compiler.getTask(null, memory, problems, OPTIONS, null, units).call()) {
                throw new IllegalStateException("a fault does not compile: " + problems.getDiagnostics());
            }
            return memory.classes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static final class Source extends SimpleJavaFileObject {

        private final String content;

        private Source(String type, String content) {
            super(URI.create("memory:/" + type.replace('.', '/') + ".java"), Kind.SOURCE);
            this.content = content;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return content;
        }
    }

    private static final class ClassFile extends SimpleJavaFileObject {

        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        private ClassFile(String type) {
            super(URI.create("memory:/" + type.replace('.', '/') + ".class"), Kind.CLASS);
        }

        @Override
        public OutputStream openOutputStream() {
            return bytes;
        }
    }

    private static final class Memory extends ForwardingJavaFileManager<JavaFileManager> {

        private final Map<String, ClassFile> written = new HashMap<>();

        private Memory(JavaFileManager files) {
            super(files);
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
                Location location, String type, JavaFileObject.Kind kind, FileObject sibling) {
            return written.computeIfAbsent(type, ClassFile::new);
        }

        private Map<String, byte[]> classes() {
            Map<String, byte[]> classes = new HashMap<>();
            written.forEach((type, file) -> classes.put(type, file.bytes.toByteArray()));
            return classes;
        }
    }
}
