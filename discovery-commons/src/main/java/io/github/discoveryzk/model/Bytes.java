// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.model;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Bytes that do not change. Two objects are equal if their bytes are. */
public final class Bytes {
    private final byte[] bytes;
    private final int hash;

    private Bytes(byte[] bytes) {
        this.bytes = bytes;
        this.hash = Arrays.hashCode(bytes);
    }

    /** Copies bytes, from an index to the end. */
    public static Bytes of(byte[] bytes, int from) {
        return new Bytes(Arrays.copyOfRange(bytes, from, bytes.length));
    }

    /** Returns a text in UTF-8. */
    public static Bytes of(String text) {
        return of(text.getBytes(StandardCharsets.UTF_8), 0);
    }

    public int length() {
        return bytes.length;
    }

    /** Returns a stream of the bytes. */
    public InputStream stream() {
        return new ByteArrayInputStream(bytes);
    }

    /** Copies the bytes into an array. */
    public void copyTo(byte[] target, int from) {
        System.arraycopy(bytes, 0, target, from, bytes.length);
    }

    @Override
    public boolean equals(Object other) {
        return this == other || other instanceof Bytes that && hash == that.hash && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public String toString() {
        return bytes.length + " bytes";
    }
}
