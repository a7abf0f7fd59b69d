// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.follow;

import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is wrong with nodes, a sentence for each node. Confined to the store's thread. */
public final class NodeProblems {
    private static final Logger LOG = LoggerFactory.getLogger(NodeProblems.class);

    /** Another client may write any number of nodes. */
    private static final int LOGGED = 20;

    private final Map<String, String> sentences = new TreeMap<>();

    /** Reports what is wrong with a node, and logs it once, until the problem ends. */
    public void report(String path, String sentence) {
        if (!sentence.equals(sentences.put(path, sentence)) && sentences.size() <= LOGGED) {
            LOG.warn(sentence);
        }
    }

    /** Ends the problem of a node, if there is one. */
    public void end(String path) {
        sentences.remove(path);
    }

    /** Returns the sentences in the order of the paths. */
    public Collection<String> sentences() {
        return Collections.unmodifiableCollection(sentences.values());
    }
}
