// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.surface;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.objectweb.asm.AnnotationVisitor;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * The surface of class files that other bundles see, one line for each relevant type, member and annotation: two sets of
 * classes with the same lines can be exchanged without recompiling. Reads the bytes, so that it sees annotations that do not
 * exist at run time and needs none of the types that the classes use.
 */
public final class PublicSurface {

    private static final int VISIBLE = Opcodes.ACC_PUBLIC | Opcodes.ACC_PROTECTED;
    private static final int OF_TYPES = VISIBLE
            | Opcodes.ACC_STATIC
            | Opcodes.ACC_FINAL
            | Opcodes.ACC_INTERFACE
            | Opcodes.ACC_ABSTRACT
            | Opcodes.ACC_ANNOTATION
            | Opcodes.ACC_ENUM;
    private static final int OF_FIELDS =
            VISIBLE | Opcodes.ACC_STATIC | Opcodes.ACC_FINAL | Opcodes.ACC_VOLATILE | Opcodes.ACC_ENUM;
    private static final int OF_METHODS =
            VISIBLE | Opcodes.ACC_STATIC | Opcodes.ACC_FINAL | Opcodes.ACC_ABSTRACT | Opcodes.ACC_VARARGS;

    private PublicSurface() {}

    /** Returns the lines of those classes of a jar whose internal name is accepted. */
    public static SortedSet<String> ofJar(Path jar, Predicate<String> accepted) throws IOException {
        try (FileSystem files = FileSystems.newFileSystem(jar)) {
            return ofTree(files.getPath("/"), accepted);
        }
    }

    /** Returns the lines of those classes whose internal name is accepted and that lie next to the given class. */
    public static SortedSet<String> ofClassesAround(Class<?> type, Predicate<String> accepted) throws IOException {
        try {
            URI place = type.getProtectionDomain().getCodeSource().getLocation().toURI();
            Path path = Path.of(place);
            return Files.isDirectory(path) ? ofTree(path, accepted) : ofJar(path, accepted);
        } catch (URISyntaxException e) {
            throw new IOException(e);
        }
    }

    private static SortedSet<String> ofTree(Path root, Predicate<String> accepted) throws IOException {
        SortedSet<String> lines = new TreeSet<>();
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                if (file.toString().endsWith(".class")) {
                    ClassReader reader = new ClassReader(Files.readAllBytes(file));
                    if (accepted.test(reader.getClassName())) {
                        OneType one = new OneType();
                        reader.accept(one, ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
                        lines.addAll(one.lines());
                    }
                }
            }
        }
        return lines;
    }

    private static boolean matters(String annotation) {
        return annotation.startsWith("Lorg/osgi/annotation/versioning/") || annotation.equals("Ljava/lang/Deprecated;");
    }

    private static final class OneType extends ClassVisitor {

        private final List<String> lines = new ArrayList<>();
        private final List<String> permitted = new ArrayList<>();
        private String name;
        private int flags;
        private String kindred;
        private boolean local;
        private int constants;

        OneType() {
            super(Opcodes.ASM9);
        }

        List<String> lines() {
            boolean ofPackage = name.endsWith("/package-info");
            if (!ofPackage && (local || (flags & VISIBLE) == 0 || (flags & Opcodes.ACC_SYNTHETIC) != 0)) {
                return List.of();
            }
            lines.add(name + " TYPE " + Integer.toHexString(flags & OF_TYPES) + kindred + " permits " + permitted);
            return lines;
        }

        private AnnotationVisitor annotation(String of, String type) {
            if (!matters(type)) {
                return null;
            }
            TreeMap<String, Object> values = new TreeMap<>();
            return new AnnotationVisitor(Opcodes.ASM9) {
                @Override
                public void visit(String key, Object value) {
                    values.put(key, value);
                }

                @Override
                public void visitEnum(String key, String enumType, String value) {
                    values.put(key, value);
                }

                @Override
                public void visitEnd() {
                    lines.add(of + " ANNOTATION " + type + values);
                }
            };
        }

        @Override
        public void visit(
                int version, int access, String type, String signature, String superName, String[] interfaces) {
            name = type;
            flags = access;
            kindred = " extends " + superName + " implements " + List.of(interfaces) + " generic " + signature;
        }

        @Override
        public void visitOuterClass(String owner, String method, String descriptor) {
            local = true;
        }

        @Override
        public void visitInnerClass(String inner, String outer, String simpleName, int access) {
            if (inner.equals(name)) {
                flags = access;
                local = outer == null;
            }
        }

        @Override
        public void visitPermittedSubclass(String subclass) {
            permitted.add(subclass);
        }

        @Override
        public AnnotationVisitor visitAnnotation(String type, boolean visible) {
            return annotation(name, type);
        }

        @Override
        public FieldVisitor visitField(int access, String field, String type, String signature, Object value) {
            if ((access & VISIBLE) == 0) {
                return null;
            }
            String id = name + "." + field;
            String order = (access & Opcodes.ACC_ENUM) == 0 ? "" : " constant number " + constants++;
            lines.add(id + " FIELD " + Integer.toHexString(access & OF_FIELDS) + " " + type + " generic " + signature
                    + " value " + value + order);
            return new FieldVisitor(Opcodes.ASM9) {
                @Override
                public AnnotationVisitor visitAnnotation(String annotation, boolean visible) {
                    return annotation(id, annotation);
                }
            };
        }

        @Override
        public MethodVisitor visitMethod(
                int access, String method, String type, String signature, String[] exceptions) {
            if ((access & VISIBLE) == 0) {
                return null;
            }
            String id = name + "." + method + type;
            lines.add(id + " METHOD " + Integer.toHexString(access & OF_METHODS) + " generic " + signature + " throws "
                    + (exceptions == null ? List.of() : List.of(exceptions)));
            return new MethodVisitor(Opcodes.ASM9) {
                @Override
                public AnnotationVisitor visitAnnotation(String annotation, boolean visible) {
                    return annotation(id, annotation);
                }
            };
        }
    }
}
