// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.launcher;

/** A problem for the user of the launcher to fix; the message says in one line what, where and what to do. */
public final class LaunchException extends Exception {

    private static final long serialVersionUID = 1L;

    /** Makes an exception. */
    public LaunchException(String message) {
        super(message);
    }

    /** Makes an exception with a cause, which is named at the end of the message. */
    public LaunchException(String message, Throwable cause) {
        super(message + " (" + reason(cause) + ")", cause);
    }

    private static String reason(Throwable cause) {
        String message = cause.getMessage();
        String name = cause.getClass().getSimpleName();
        return message == null
                ? name
                : name + ": " + message.lines().findFirst().orElse("");
    }
}
