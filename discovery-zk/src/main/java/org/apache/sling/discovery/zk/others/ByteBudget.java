// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.others;

/** How many bytes of announcements an instance keeps as they are in the store. Confined to the store's thread. */
final class ByteBudget {
    private static final int PART_OF_HEAP = 32;

    private final long max;
    private long used;

    ByteBudget(long max) {
        this.max = max;
    }

    /** Creates the budget of an instance: a 32nd of the heap. Decoded announcements may take as much again. */
    static ByteBudget ofHeap() {
        return new ByteBudget(Runtime.getRuntime().maxMemory() / PART_OF_HEAP);
    }

    long max() {
        return max;
    }

    /** Returns whether there is room for bytes in place of others. */
    boolean hasRoom(int before, int after) {
        return used - before + after <= max;
    }

    /** Counts bytes in place of others, whether there is room or not. */
    void replace(int before, int after) {
        used += after - before;
    }
}
