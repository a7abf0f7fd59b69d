// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.console;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Marks tests that need a {@link Browser}, which they share. Without a browser on the machine they are skipped. */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(InBrowser.SharedBrowser.class)
public @interface InBrowser {

    /** Starts the browser when the first test needs it, and ends it after the last one. */
    final class SharedBrowser implements ExecutionCondition, ParameterResolver {

        private static final ExtensionContext.Namespace OWN = ExtensionContext.Namespace.create(SharedBrowser.class);

        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            return Browser.isInstalled()
                    ? ConditionEvaluationResult.enabled("there is a browser")
                    : ConditionEvaluationResult.disabled(Browser.MISSING);
        }

        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == Browser.class;
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
            return context.getRoot()
                    .getStore(OWN)
                    .getOrComputeIfAbsent(Browser.class, key -> new Browser(), Browser.class);
        }
    }
}
