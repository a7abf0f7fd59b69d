// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.launcher;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceReference;

/**
 * Offers the Gogo shell of a container to clients on this machine, through a socket in the file system, in a folder that only its
 * owner can enter. It has no port, so nothing outside of this machine and no other user of it can connect.
 *
 * <p>The client sends a command, empty for an interactive session, and then its standard input. The container sends the output,
 * the byte {@link #END} and the exit code. The shell is called by reflection, because its classes belong to a bundle.
 */
@ThreadsAndClocks
final class ShellServer {

    /** The socket, below the working directory of a container. */
    static final Path SOCKET = Path.of("shell", "socket");

    /** Ends the output; no text has this byte. */
    static final int END = 0;

    private static final String SERVICES = "org.apache.felix.service.command.";
    private static final String INTERACTIVE = "gosh --login --noshutdown";
    private static final int INSPECT = 0;

    private final BundleContext context;

    private ShellServer(BundleContext context) {
        this.context = context;
    }

    /** Starts listening in the working directory of this process, until the process ends. A relative path is never too long. */
    static void start(BundleContext context) throws IOException {
        if (!Files.isDirectory(SOCKET.getParent())) {
            Files.createDirectory(
                    SOCKET.getParent(),
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        }
        Files.deleteIfExists(SOCKET);
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        server.bind(UnixDomainSocketAddress.of(SOCKET));
        ShellServer shell = new ShellServer(context);
        run("container-shell", () -> shell.accept(server));
    }

    private static void run(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }

    private void accept(ServerSocketChannel server) {
        try {
            while (true) {
                SocketChannel client = server.accept();
                run("container-shell-session", () -> serve(client));
            }
        } catch (IOException e) {
            e.printStackTrace();
        }
    }

    private void serve(SocketChannel client) {
        try (client;
                PrintStream out = new PrintStream(SocketStreams.output(client), true, StandardCharsets.UTF_8)) {
            DataInputStream in = new DataInputStream(SocketStreams.input(client));
            int code = execute(in.readUTF(), in, out);
            out.write(END);
            out.write(code);
        } catch (IOException e) {
            // The client has gone.
        }
    }

    /** Returns the exit code: 0, or 1 if the command fails. */
    private int execute(String command, InputStream in, PrintStream out) {
        ServiceReference<?> reference = context.getServiceReference(SERVICES + "CommandProcessor");
        if (reference == null) {
            out.println("this instance has no Gogo shell");
            return 1;
        }
        try {
            Class<?> type = reference.getBundle().loadClass(SERVICES + "CommandSession");
            Object session = reference
                    .getBundle()
                    .loadClass(SERVICES + "CommandProcessor")
                    .getMethod("createSession", InputStream.class, OutputStream.class, OutputStream.class)
                    .invoke(context.getService(reference), in, out, out);
            try {
                Object result = type.getMethod("execute", CharSequence.class)
                        .invoke(session, command.isEmpty() ? INTERACTIVE : command);
                if (result != null && !command.isEmpty()) {
                    out.println(
                            type.getMethod("format", Object.class, int.class).invoke(session, result, INSPECT));
                }
            } finally {
                type.getMethod("close").invoke(session);
            }
            return 0;
        } catch (InvocationTargetException e) { // What a command throws is its failure.
            out.println(Objects.requireNonNullElse(
                    e.getCause().getMessage(), e.getCause().toString()));
            return 1;
        } catch (ReflectiveOperationException e) {
            out.println("this instance has an unknown shell: " + e);
            return 1;
        } finally {
            context.ungetService(reference);
        }
    }
}
