// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.webconsole.json;

import io.github.discoveryzk.model.Departure;
import io.github.discoveryzk.model.Incarnation;
import io.github.discoveryzk.model.LeaveRecord.Kind;
import io.github.discoveryzk.model.Reason;
import io.github.discoveryzk.report.Change;
import io.github.discoveryzk.report.ConnectorReport.Incoming;
import io.github.discoveryzk.report.History.Entry;
import io.github.discoveryzk.report.InstanceNames;
import io.github.discoveryzk.report.InstanceStatus;
import io.github.discoveryzk.report.TopologyReport.ExplainedState;
import io.github.discoveryzk.report.TopologyReport.Instance;
import io.github.discoveryzk.report.TopologyReport.View;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

/**
 * The fields of the records of a report, as JSON and filters have them: a component is a field of its name. The fields of records that
 * group or extend others are fields of what has them. Reasons are sentences. What is absent or not known is null.
 *
 * @param names how sentences name instances
 */
public record ReportFields(InstanceNames names) {
    /** The components whose fields are fields of the record that has them. */
    private static final Set<String> INLINED = Set.of(
            "source",
            "situation",
            "instances",
            "member",
            "record",
            "process",
            "established",
            "head",
            "stored",
            "difference",
            "stat",
            "times");

    private static final Set<String> OF_INSTANCE = Set.of(
            "runtimeId", "machine", "processName", "seniority", "format", "formats", "invalidatedUpTo", "waitingFor");

    /** What the records of a member, a view and a history entry have for the settling of changes. */
    private static final Map<Class<?>, Set<String>> INTERNAL = Map.of(
            Instance.class, OF_INSTANCE,
            View.class, Set.of("previous", "publisher", "members", "excluded", "sessionTimeoutMillis"),
            Entry.class, Set.of("removed", "digest", "sessionTimeoutMillis"),
            Incoming.class, Set.of("nextPingMillis"));

    private static final ClassValue<RecordComponent[]> COMPONENTS = new ClassValue<>() {
        @Override
        protected RecordComponent[] computeValue(Class<?> type) {
            return type.getRecordComponents();
        }
    };

    /** Returns the fields of a record. */
    public Map<String, Object> of(Record holder) {
        Map<String, Object> fields = new LinkedHashMap<>();
        putAll(fields, holder);
        fields.keySet().removeAll(INTERNAL.getOrDefault(holder.getClass(), Set.of()));
        if (holder instanceof Instance instance) {
            // Of an instance of another cluster the empty text and 0 mean that the value is not known.
            fields.replaceAll((name, value) -> name.equals("position") ? value : known(value));
            fields.put("joinedMillis", fields.remove("createdMillis"));
            fields.put("session", known(instance.session()));
            fields.put("id", fields.remove("instanceId"));
            fields.put("name", instance.name().orElse(null));
            fields.put("label", names.label(instance.id()));
            fields.put("console", instance.console().orElse(null));
        } else if (holder instanceof View view) {
            fields.put("leaderId", view.leaderId());
            fields.put("leader", names.label(view.leaderId()));
        } else if (holder instanceof Entry entry) {
            fields.put("excluded", excluded(entry));
        } else if (holder instanceof Departure departure) {
            fields.put("id", fields.remove("instanceId"));
            fields.put("kind", departure.kind().map(Kind::words).orElse(null));
            fields.put("words", names.sentence(List.of(Reason.of(departure))));
        } else if (holder instanceof Incarnation) {
            fields.put("id", fields.remove("instanceId"));
        } else if (holder instanceof Change.Settled change) {
            fields.put("tookMillis", change.tookMillis());
        } else if (holder instanceof Incoming) {
            fields.put("pingedMillis", fields.remove("exchangedMillis"));
        } else if (holder instanceof InstanceStatus status) {
            fields.remove("why");
            fields.put("reason", names.clause(status.why()));
        } else if (holder instanceof ExplainedState transition) {
            return Map.of(
                    "millis", transition.sinceMillis(),
                    "to", transition.state(),
                    "sentence", transition.words(names, transition.sinceMillis()));
        }
        return fields;
    }

    private List<String> excluded(Entry entry) {
        return entry.stored().late().entrySet().stream()
                .map(late -> Reason.blamed(names.label(late.getKey()), late.getValue()))
                .toList();
    }

    private void putAll(Map<String, Object> fields, Record holder) {
        for (RecordComponent component : COMPONENTS.get(holder.getClass())) {
            Object value = get(holder, component);
            if (value instanceof Record part && INLINED.contains(component.getName())) {
                putAll(fields, part);
            } else {
                fields.put(component.getName(), value(component, value));
            }
        }
    }

    private static Object get(Record holder, RecordComponent component) {
        try {
            return component.getAccessor().invoke(holder);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("The records of reports are public", e);
        }
    }

    @SuppressWarnings("unchecked")
    private Object value(RecordComponent component, Object value) {
        if (value instanceof Optional<?> optional) {
            return optional.orElse(null);
        }
        if (value instanceof OptionalLong optional) {
            return optional.isPresent() ? optional.getAsLong() : null;
        }
        if (value instanceof Map<?, ?> map) {
            return new TreeMap<>(map);
        }
        boolean isCause = component.getGenericType() instanceof ParameterizedType type
                && type.getActualTypeArguments()[0] == Reason.class;
        return isCause ? names.sentence((List<Reason>) value) : value;
    }

    private static Object known(Object value) {
        return "".equals(value) || value instanceof Number number && number.longValue() <= 0 ? null : value;
    }
}
