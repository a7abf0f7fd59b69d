// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.connectors;

import io.github.discoveryzk.connectors.trust.SharedKey;
import io.github.discoveryzk.connectors.trust.Trust;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** In which form messages are exchanged; all of these forms are understood by Sling. */
public enum Mode {
    PLAIN(false, false),
    COMPRESSED(true, false),
    ENCRYPTED(false, true),
    ENCRYPTED_AND_COMPRESSED(true, true);

    private static final String SECRET = "s3cret";

    private final boolean gzip;
    private final boolean encrypted;

    Mode(boolean gzip, boolean encrypted) {
        this.gzip = gzip;
        this.encrypted = encrypted;
    }

    public boolean gzip() {
        return gzip;
    }

    public boolean encrypted() {
        return encrypted;
    }

    /** Returns the configuration of Sling. */
    public Map<String, Object> ofSling() {
        Map<String, Object> values = new HashMap<>();
        values.put("gzipConnectorRequestsEnabled", gzip);
        values.put("hmacEnabled", encrypted);
        values.put("enableEncryption", encrypted);
        values.put("sharedKey", SECRET);
        return values;
    }

    /** Returns the same configuration of an instance of this project. */
    OurSettings ofOurs() {
        OurSettings settings = OurSettings.DEFAULT.gzip(gzip);
        return encrypted ? settings.trust(trust(SECRET, true)) : settings;
    }

    /** Returns the trust in messages that are signed with a key of this secret. */
    static Optional<Trust> trust(String secret, boolean encrypted) {
        return Optional.of(new Trust(new SharedKey(secret, Duration.ofHours(4)), encrypted));
    }
}
