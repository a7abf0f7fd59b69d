// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector.endpoint;

import java.io.IOException;
import org.apache.sling.discovery.base.connector.wire.InvalidMessage.Reason;

/** A request is refused, with a status and a reason that only this side sees. */
final class Refused extends IOException {
    static final int BAD_REQUEST = 400;
    static final int NOT_FOUND = 404;
    static final int METHOD_NOT_ALLOWED = 405;
    static final int TIMEOUT = 408;
    static final int TOO_LARGE = 413;
    static final int UNSUPPORTED = 415;
    static final int UNAVAILABLE = 503;

    private static final long serialVersionUID = 1L;

    private final int status;

    Refused(int status, String reason) {
        super(reason);
        this.status = status;
    }

    int status() {
        return status;
    }

    /** Returns the status for a message that is not accepted. */
    static int status(Reason reason) {
        return switch (reason) {
            case PATH, UNTRUSTED, ALTERED, REPLAYED -> NOT_FOUND;
            case TOO_LARGE -> TOO_LARGE;
            case ENCODING -> UNSUPPORTED;
            case MALFORMED, VERSION, ENCRYPTION -> BAD_REQUEST;
            case FULL -> UNAVAILABLE;
        };
    }

    /** Peers can cause many of these: a stack trace would only cost. */
    @Override
    public Throwable fillInStackTrace() {
        return this;
    }
}
