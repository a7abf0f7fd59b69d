// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.action;

import java.io.IOException;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.sling.discovery.commons.report.Operator;
import org.apache.sling.discovery.webconsole.exchange.Request;
import org.apache.sling.discovery.webconsole.exchange.Response;
import org.apache.sling.discovery.webconsole.markup.Addresses;
import org.apache.sling.discovery.webconsole.page.ActionForms;
import org.apache.sling.discovery.webconsole.page.ErrorPages;
import org.apache.sling.discovery.webconsole.page.PageContext;

/**
 * Performs the actions of the forms, after a check that a page of this console made the form. May be used from any
 * thread.
 */
public final class Actions {
    /** The maximum length of a form; the forms of the pages are far shorter. */
    private static final int MAX_LENGTH = 20_000;

    private final CsrfToken token = new CsrfToken();
    private final FlashMessages messages = new FlashMessages();

    /**
     * Returns the context of a page for the user of a request.
     *
     * @param operator null when no action is possible
     */
    public PageContext context(Request request, Operator operator) {
        return new PageContext(
                Optional.ofNullable(operator).map(present -> token.create(request.user())),
                messages.find(request.parameter(Addresses.RESULT)));
    }

    /**
     * Performs the action of a form, and redirects to a page that shows the result.
     *
     * @param operator null when no action is possible
     */
    public void perform(Request request, Response response, Operator operator, Addresses addresses) throws IOException {
        OptionalInt refusal = refusal(request.header("Content-Length"));
        if (refusal.isPresent()) {
            // Each parameter would be read from the body, which may be of any length.
            response.setHeader("Connection", "close");
            refuse(response, refusal.getAsInt(), "Nothing was done: a form has at most " + MAX_LENGTH + " bytes.");
        } else if (!SameOrigin.isAllowed(request)) {
            refuse(response, 403, "Nothing was done: the request comes from a page of another site.");
        } else if (!token.isValid(request.user(), request.parameter(ActionForms.TOKEN))) {
            refuse(
                    response,
                    403,
                    "Nothing was done: this console has not made the form, or has been restarted since. "
                            + "Go back, reload the page and try again.");
        } else if (operator == null) {
            refuse(response, 503, "Nothing was done: the discovery service is not active on this instance.");
        } else {
            dispatch(request, response, operator, addresses);
        }
    }

    private static OptionalInt refusal(String length) {
        if (length == null || !length.matches("\\d+")) {
            return OptionalInt.of(411);
        }
        return length.length() > 9 || Integer.parseInt(length) > MAX_LENGTH ? OptionalInt.of(413) : OptionalInt.empty();
    }

    private static void refuse(Response response, int status, String sentence) throws IOException {
        response.setStatus(status);
        response.text("text/html;charset=utf-8").append(ErrorPages.bare(sentence));
    }

    private void dispatch(Request request, Response response, Operator operator, Addresses addresses)
            throws IOException {
        String action = parameter(request, ActionForms.ACTION);
        String target = parameter(request, ActionForms.TARGET);
        if (action.equals(ActionForms.STAND_DOWN)) {
            answer(request, response, addresses, operator.standDown());
        } else if (action.equals(ActionForms.EVICT) && !target.isBlank()) {
            answer(request, response, addresses, operator.evict(target));
        } else {
            refuse(response, 400, "Nothing was done: the action is unknown.");
        }
    }

    private void answer(Request request, Response response, Addresses addresses, Operator.Result result)
            throws IOException {
        if (result.success()) {
            redirect(request, response, addresses, result.sentence());
        } else {
            refuse(response, 409, "Nothing was done: " + result.sentence() + ".");
        }
    }

    private void redirect(Request request, Response response, Addresses addresses, String sentence) {
        String instance = parameter(request, Addresses.INSTANCE);
        String page = instance.isEmpty() ? addresses.overview() + "?" : addresses.instanceByQuery(instance) + "&";
        response.setStatus(303);
        response.setHeader("Location", page + Addresses.RESULT + "=" + messages.add(sentence));
    }

    private static String parameter(Request request, String name) {
        return Objects.requireNonNullElse(request.parameter(name), "");
    }
}
