// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector.client;

import org.apache.sling.discovery.base.connector.wire.InvalidMessage;

/** What the failure of an exchange means, and what to check. */
final class FailureText {
    private FailureText() {}

    /** Returns what a status means that is not 200. */
    static String meaning(int status) {
        return switch (status) {
            case 301, 302, 303, 307, 308 -> "redirects are not followed; configure the URL to which it leads";
            case 400 -> "it does not accept the form of the announcement";
            case 401,
                    403 -> "it demands other credentials; check user and password in the URL, and what is in front of the peer";
            case 404 -> "it does not let this instance connect; check the allow list of the peer, or that the shared key"
                    + " and the lifetime of keys are the same on both sides, and the path of the URL";
            case 405 -> "the URL leads to something else than a connector";
            case 407 -> "a proxy demands credentials";
            case 413 -> "it does not accept an announcement of this extent: its length, or the number of instances or of properties";
            case 500 -> "it failed; its log says why, and signatures without encryption are a cause with peers of Sling";
            case 502, 504 -> "a proxy does not reach it";
            case 503 -> "its cluster has no settled view now, or one of its limits is reached";
            default -> "a connector does not reply so; the URL may lead to another server";
        };
    }

    /** Returns what to check when a reply cannot be accepted; empty or with a space before it. */
    static String advice(InvalidMessage.Reason reason) {
        return switch (reason) {
            case UNTRUSTED -> " Check that both sides sign messages with the same shared key and lifetime of keys.";
            case ALTERED -> " Something between this instance and the peer changes paths or contents, such as a proxy.";
            case ENCRYPTION -> " Check that both sides encrypt messages with the same shared key.";
            case MALFORMED, VERSION -> " The URL may lead to another server, or only one side encrypts messages.";
            case TOO_LARGE, ENCODING, PATH, REPLAYED, FULL -> "";
        };
    }
}
