// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.webconsole.http;

import io.github.discoveryzk.report.Operator;
import io.github.discoveryzk.webconsole.html.ActionForms;
import io.github.discoveryzk.webconsole.html.Addresses;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Performs the actions of the forms, after a check that a page of this console made the form. May be used from any
 * thread.
 */
final class Actions {
    /** The maximum length of a form; the forms of the pages are far shorter. */
    private static final int MAX_LENGTH = 20_000;

    private final SecureRandom random = new SecureRandom();

    /**
     * By user, the token that proves that a page of this console made a form for the user who sends it: another site cannot read the
     * token. No page has a form beside a text of the request.
     */
    private final Map<String, String> tokens = new ConcurrentHashMap<>();

    /**
     * The sentence of the last action by a random name. The address of a page has only the name, so a link cannot put a text of its
     * own on a page.
     */
    private volatile Map.Entry<String, String> last = Map.entry("", "");

    /** Returns the token for the forms of a page; empty when no action is possible. */
    Optional<String> token(Request request, Operator operator) {
        return Optional.ofNullable(operator).map(present -> tokens.computeIfAbsent(request.user(), user -> random()));
    }

    /** Returns the result of the action that has redirected to a page; empty if there is none. */
    Optional<String> result(Request request) {
        Map.Entry<String, String> known = last;
        return request.parameter(Addresses.RESULT).equals(known.getKey())
                ? Optional.of(known.getValue()).filter(sentence -> !sentence.isEmpty())
                : Optional.empty();
    }

    /**
     * Performs the action of a form, and redirects to a page that shows the result.
     *
     * @param operator null when no action is possible
     */
    Reply perform(Request request, Operator operator) {
        String length = request.header("Content-Length");
        String site = request.header("Sec-Fetch-Site");
        // Each parameter would be read from the body, which may be of any length.
        if (!length.matches("\\d+")) {
            return tooLong(411);
        } else if (length.length() > 9 || Integer.parseInt(length) > MAX_LENGTH) {
            return tooLong(413);
        } else if (!site.isEmpty() && !site.equals("same-origin")) {
            return refusal(403, "the request comes from a page of another site");
        } else if (!hasToken(request)) {
            return refusal(
                    403,
                    "this console has not made the form, or has been restarted since. "
                            + "Go back, reload the page and try again");
        } else if (operator == null) {
            return refusal(503, "the discovery service is not active on this instance");
        }
        return dispatch(request, operator);
    }

    private String random() {
        byte[] bytes = new byte[32];
        random.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** The check takes the same time for a wrong token. */
    private boolean hasToken(Request request) {
        String expected = tokens.getOrDefault(request.user(), "");
        byte[] sent = request.parameter(ActionForms.TOKEN).getBytes(StandardCharsets.UTF_8);
        return !expected.isEmpty() && MessageDigest.isEqual(expected.getBytes(StandardCharsets.UTF_8), sent);
    }

    private static Reply tooLong(int status) {
        return refusal(status, "a form has at most " + MAX_LENGTH + " bytes").with("Connection", "close");
    }

    private static Reply refusal(int status, String reason) {
        return Router.refusal(status, "Nothing was done: " + reason + ".");
    }

    private Reply dispatch(Request request, Operator operator) {
        String action = request.parameter(ActionForms.ACTION);
        String target = request.parameter(ActionForms.TARGET);
        if (action.equals(ActionForms.STEP_DOWN)) {
            return answer(request, operator.stepDown());
        } else if (action.equals(ActionForms.EVICT) && !target.isBlank()) {
            return answer(request, operator.evict(target));
        }
        return refusal(400, "the action is unknown");
    }

    private Reply answer(Request request, Operator.Result result) {
        if (!result.success()) {
            return refusal(409, result.sentence());
        }
        String instance = request.parameter(Addresses.INSTANCE);
        String page = instance.isEmpty() ? Addresses.OVERVIEW + "?" : Addresses.instanceByQuery(instance) + "&";
        String name = random();
        last = Map.entry(name, result.sentence());
        return Reply.of(303).with("Location", request.console() + page + Addresses.RESULT + "=" + name);
    }
}
