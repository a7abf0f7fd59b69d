// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.benchmarks;

/**
 * How many members of a cluster are real ones; the others are light ones. The most senior members are real, because light
 * ones never coordinate, and the remaining real ones are spread over the others.
 *
 * @param members the number of members
 * @param real the number of real ones, at least 1
 */
record Mix(int members, int real) {
    private static final int SPREAD_PERCENT = 40;
    private static final int PERCENT = 100;

    Mix {
        if (real < 1 || real > members) {
            throw new IllegalArgumentException(real + " real members of " + members);
        }
    }

    static Mix allReal(int members) {
        return new Mix(members, members);
    }

    boolean hasLight() {
        return real < members;
    }

    /** Returns how many members are announced first, before all others at once. */
    int seniors() {
        return hasLight() && real > 1 ? real - Math.max(1, real * SPREAD_PERCENT / PERCENT) : 1;
    }

    /** Returns whether a member is light; members are numbered from 0 by seniority. */
    boolean isLight(int index) {
        int first = seniors();
        return index >= first && !isSpread(index - first, members - first, real - first);
    }

    /** Returns whether one of several newcomers is light, numbered from 0. A single one is real. */
    boolean isLightNewcomer(int index, int count) {
        return !isSpread(index, count, Math.max(1, (int) ((long) count * real / members)));
    }

    private static boolean isSpread(int index, int count, int chosen) {
        return (index + 1L) * chosen / count > (long) index * chosen / count;
    }
}
