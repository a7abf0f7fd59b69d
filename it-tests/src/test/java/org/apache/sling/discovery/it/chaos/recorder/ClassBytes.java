// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.chaos.recorder;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/** Rewrites names in the constant pool of a class file, which needs no library in the container. */
final class ClassBytes {

    private static final int MAGIC_AND_VERSION = 8;

    private static final int UTF8 = 1;
    private static final int LONG = 5;
    private static final int DOUBLE = 6;
    private static final int CLASS = 7;
    private static final int STRING = 8;
    private static final int METHOD_HANDLE = 15;
    private static final int METHOD_TYPE = 16;
    private static final int MODULE = 19;
    private static final int PACKAGE = 20;

    private ClassBytes() {}

    /**
     * Returns a class with calls to another class with the same methods.
     *
     * @param type the class file
     * @param from the internal name of the class that it calls
     * @param to the internal name of the other class
     */
    static byte[] withAnotherOwner(byte[] type, String from, String to) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(type));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.write(in.readNBytes(MAGIC_AND_VERSION));
        int count = in.readUnsignedShort();
        out.writeShort(count);
        for (int i = 1; i < count; i++) {
            int tag = in.readUnsignedByte();
            out.writeByte(tag);
            if (tag == UTF8) {
                String text = in.readUTF();
                out.writeUTF(text.equals(from) ? to : text);
            } else {
                out.write(in.readNBytes(length(tag)));
            }
            // Each of these takes two places.
            i += tag == LONG || tag == DOUBLE ? 1 : 0;
        }
        in.transferTo(out);
        return bytes.toByteArray();
    }

    private static int length(int tag) {
        return switch (tag) {
            case LONG, DOUBLE -> 8;
            case CLASS, STRING, METHOD_TYPE, MODULE, PACKAGE -> 2;
            case METHOD_HANDLE -> 3;
                // Numbers of four bytes, and pairs of indexes.
            default -> 4;
        };
    }
}
