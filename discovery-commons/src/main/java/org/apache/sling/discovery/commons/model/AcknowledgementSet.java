// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.commons.model;

import java.util.AbstractSet;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;

/**
 * An immutable set of acknowledgements. A set with one element more or less shares almost all of its content with this one, because a
 * coordinator sees each acknowledgement of a change by itself.
 */
public final class AcknowledgementSet extends AbstractSet<Acknowledgement> {

    /** A change copies one branch of the tree: as many references as a branch and its parent have. */
    private static final int BRANCHES = 32;

    private static final Acknowledgement[] NOTHING = {};

    /** The set without elements. */
    public static final AcknowledgementSet EMPTY = new AcknowledgementSet(nothing(), new TreeMap<>(), 0);

    private final Acknowledgement[][][] buckets;
    private final TreeMap<Long, Integer> counts;
    private final int size;

    private AcknowledgementSet(Acknowledgement[][][] buckets, TreeMap<Long, Integer> counts, int size) {
        this.buckets = buckets;
        this.counts = counts;
        this.size = size;
    }

    private static Acknowledgement[][][] nothing() {
        Acknowledgement[][] branch = new Acknowledgement[BRANCHES][];
        Arrays.fill(branch, NOTHING);
        Acknowledgement[][][] branches = new Acknowledgement[BRANCHES][][];
        Arrays.fill(branches, branch);
        return branches;
    }

    /** Returns a set of these acknowledgements. */
    public static AcknowledgementSet copyOf(Collection<Acknowledgement> all) {
        if (all instanceof AcknowledgementSet same) {
            return same;
        }
        AcknowledgementSet set = EMPTY;
        for (Acknowledgement each : all) {
            set = set.with(each);
        }
        return set;
    }

    /** Returns this set with that element. */
    public AcknowledgementSet with(Acknowledgement added) {
        Acknowledgement[] bucket = bucketOf(added);
        if (indexIn(bucket, added) >= 0) {
            return this;
        }
        Acknowledgement[] more = Arrays.copyOf(bucket, bucket.length + 1);
        more[bucket.length] = added;
        return replacing(added, more, 1);
    }

    /** Returns this set without that element. */
    public AcknowledgementSet without(Acknowledgement removed) {
        Acknowledgement[] bucket = bucketOf(removed);
        int index = indexIn(bucket, removed);
        if (index < 0) {
            return this;
        }
        Acknowledgement[] fewer = Arrays.copyOf(bucket, bucket.length - 1);
        if (index < fewer.length) {
            fewer[index] = bucket[fewer.length];
        }
        return replacing(removed, fewer, -1);
    }

    private AcknowledgementSet replacing(Acknowledgement changed, Acknowledgement[] bucket, int difference) {
        int hash = hash(changed);
        Acknowledgement[][] branch = buckets[hash / BRANCHES].clone();
        branch[hash % BRANCHES] = bucket;
        Acknowledgement[][][] others = buckets.clone();
        others[hash / BRANCHES] = branch;
        TreeMap<Long, Integer> numbers = new TreeMap<>(counts);
        numbers.merge(changed.number(), difference, (one, two) -> one + two == 0 ? null : Integer.valueOf(one + two));
        return new AcknowledgementSet(others, numbers, size + difference);
    }

    /** Returns how many elements acknowledge the view of that number. */
    public int count(long number) {
        return counts.getOrDefault(number, 0);
    }

    /** Says whether an element acknowledges the view of that number or a later one. */
    boolean reaches(long number) {
        Map.Entry<Long, Integer> last = counts.lastEntry();
        return last != null && last.getKey() >= number;
    }

    @Override
    public boolean contains(Object other) {
        return other instanceof Acknowledgement one && indexIn(bucketOf(one), one) >= 0;
    }

    @Override
    public Iterator<Acknowledgement> iterator() {
        return Arrays.stream(buckets)
                .flatMap(Arrays::stream)
                .flatMap(Arrays::stream)
                .iterator();
    }

    @Override
    public int size() {
        return size;
    }

    private Acknowledgement[] bucketOf(Acknowledgement one) {
        int hash = hash(one);
        return buckets[hash / BRANCHES][hash % BRANCHES];
    }

    /** Returns a number of a bucket; the highest bits of the product depend on all bits of the hash code. */
    private static int hash(Acknowledgement one) {
        int product = one.hashCode() * 0x9E3779B9;
        return product >>> Integer.numberOfLeadingZeros(BRANCHES * BRANCHES) + 1;
    }

    private static int indexIn(Acknowledgement[] bucket, Acknowledgement wanted) {
        for (int index = 0; index < bucket.length; index++) {
            if (bucket[index].equals(wanted)) {
                return index;
            }
        }
        return -1;
    }
}
