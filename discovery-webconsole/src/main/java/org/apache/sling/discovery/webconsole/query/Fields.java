// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.query;

import java.lang.reflect.RecordComponent;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import org.apache.sling.discovery.commons.report.Change;
import org.apache.sling.discovery.commons.report.History;
import org.apache.sling.discovery.commons.report.TopologyReport;

/**
 * The fields of the records of a report, as JSON and filters have them: each component is a field of its name. What is absent
 * or not known is null.
 */
public final class Fields {
    /** Of these fields of an instance the empty text and 0 mean that the value is not known. */
    private static final Set<String> OF_MEMBERS =
            Set.of("node", "host", "pid", "home", "startedMillis", "joinedMillis", "session", "sessionTimeoutMillis");

    private static final ClassValue<RecordComponent[]> COMPONENTS = new ClassValue<>() {
        @Override
        protected RecordComponent[] computeValue(Class<?> type) {
            return type.getRecordComponents();
        }
    };

    private Fields() {}

    /** Returns the fields of a record in their order. */
    public static Map<String, Object> of(Record holder) {
        Map<String, Object> fields = new LinkedHashMap<>();
        for (RecordComponent component : COMPONENTS.get(holder.getClass())) {
            fields.put(component.getName(), value(holder, component));
        }
        if (holder instanceof TopologyReport.Instance) {
            OF_MEMBERS.forEach(name -> fields.put(name, known(fields.get(name))));
        } else if (holder instanceof Change.Settled change) {
            fields.put("tookMillis", change.tookMillis());
        } else if (holder instanceof History.Departed departed) {
            fields.remove("who");
            fields.putAll(of(departed.who()));
        }
        return fields;
    }

    private static Object value(Record holder, RecordComponent component) {
        try {
            return unwrapped(component.getAccessor().invoke(holder));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("The records of reports are public", e);
        }
    }

    private static Object unwrapped(Object value) {
        if (value instanceof Optional<?> optional) {
            return optional.orElse(null);
        }
        if (value instanceof OptionalLong optional) {
            return optional.isPresent() ? optional.getAsLong() : null;
        }
        if (value instanceof Map<?, ?> map) {
            return new TreeMap<>(map);
        }
        return value;
    }

    private static Object known(Object value) {
        return value.equals("") || value instanceof Number number && number.longValue() <= 0 ? null : value;
    }
}
