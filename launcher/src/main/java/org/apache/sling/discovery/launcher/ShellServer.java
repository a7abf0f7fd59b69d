// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.launcher;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.StandardProtocolFamily;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceReference;

/**
 * Offers the Gogo shell of a container to clients on this machine. The shell is called by reflection, because its classes belong
 * to a bundle.
 */
@ThreadsAndClocks
final class ShellServer {

    private static final String PROCESSOR = "org.apache.felix.service.command.CommandProcessor";
    private static final String SESSION = "org.apache.felix.service.command.CommandSession";
    private static final String INTERACTIVE = "gosh --login --noshutdown";
    private static final int INSPECT = 0;

    private final BundleContext context;

    private ShellServer(BundleContext context) {
        this.context = context;
    }

    /** Starts listening in the working directory of this process, until the process ends. */
    static void start(BundleContext context) throws IOException {
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        server.bind(ShellSocket.prepare());
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
        try (client) {
            DataInputStream in = new DataInputStream(SocketStreams.input(client));
            DataOutputStream frames = new DataOutputStream(SocketStreams.output(client));
            String command = in.readUTF();
            int code;
            try (PrintStream error = new PrintStream(frames(ShellSocket.ERROR, frames), true, StandardCharsets.UTF_8)) {
                code = execute(command, in, frames(ShellSocket.OUTPUT, frames), error);
            }
            synchronized (frames) {
                frames.writeByte(ShellSocket.EXIT);
                frames.writeInt(code);
            }
        } catch (IOException e) {
            // The client has gone.
        }
    }

    private static OutputStream frames(int type, DataOutputStream frames) {
        return new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                write(new byte[] {(byte) b}, 0, 1);
            }

            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                synchronized (frames) {
                    frames.writeByte(type);
                    frames.writeInt(length);
                    frames.write(bytes, offset, length);
                }
            }
        };
    }

    /** Returns the exit code: 0, or 1 if the command fails. */
    private int execute(String command, InputStream in, OutputStream out, PrintStream error) {
        ServiceReference<?> reference = context.getServiceReference(PROCESSOR);
        if (reference == null) {
            error.println("this instance has no Gogo shell");
            return 1;
        }
        try {
            Object session = call(context.getService(reference), PROCESSOR, "createSession", in, out, error);
            try {
                Object result = call(session, SESSION, "execute", command.isEmpty() ? INTERACTIVE : command);
                if (result != null && !command.isEmpty()) {
                    out.write((call(session, SESSION, "format", result, INSPECT) + "\n")
                            .getBytes(StandardCharsets.UTF_8));
                }
            } finally {
                call(session, SESSION, "close");
            }
            return 0;
        } catch (Exception e) { // What a command throws is its failure.
            error.println(Objects.requireNonNullElse(e.getMessage(), e.toString()));
            return 1;
        } finally {
            context.ungetService(reference);
        }
    }

    /** Calls the method of that name and number of parameters, of an interface that the object implements. */
    private static Object call(Object object, String type, String name, Object... arguments) throws Exception {
        for (Method method : object.getClass().getClassLoader().loadClass(type).getMethods()) {
            if (method.getName().equals(name) && accepts(method.getParameterTypes(), arguments)) {
                try {
                    return method.invoke(object, arguments);
                } catch (InvocationTargetException e) {
                    throw e.getCause() instanceof Exception cause ? cause : e;
                }
            }
        }
        throw new NoSuchMethodException(type + "." + name);
    }

    private static boolean accepts(Class<?>[] types, Object... arguments) {
        boolean accepted = types.length == arguments.length;
        for (int i = 0; accepted && i < types.length; i++) {
            accepted = types[i].isPrimitive() || types[i].isInstance(arguments[i]);
        }
        return accepted;
    }
}
