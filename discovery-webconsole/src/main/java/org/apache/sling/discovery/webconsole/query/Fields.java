// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.query;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import org.apache.sling.discovery.commons.model.Departure;
import org.apache.sling.discovery.commons.model.DepartureNote.Kind;
import org.apache.sling.discovery.commons.model.HistoryEntry;
import org.apache.sling.discovery.commons.model.Incarnation;
import org.apache.sling.discovery.commons.model.Member;
import org.apache.sling.discovery.commons.model.MemberRecord;
import org.apache.sling.discovery.commons.model.ProcessInfo;
import org.apache.sling.discovery.commons.model.Reason;
import org.apache.sling.discovery.commons.model.ViewHead;
import org.apache.sling.discovery.commons.report.Change;
import org.apache.sling.discovery.commons.report.History;
import org.apache.sling.discovery.commons.report.InstanceNames;
import org.apache.sling.discovery.commons.report.InstanceStatus;
import org.apache.sling.discovery.commons.report.TopologyReport.Instance;
import org.apache.sling.discovery.commons.report.TopologyReport.Instances;
import org.apache.sling.discovery.commons.report.TopologyReport.Situation;
import org.apache.sling.discovery.commons.report.TopologyReport.Source;
import org.apache.sling.discovery.commons.report.TopologyReport.Status;
import org.apache.sling.discovery.commons.report.TopologyReport.View;

/**
 * The fields of the records of a report, as JSON and filters have them: a component is a field of its name unless a method of this
 * class says otherwise. Reasons are sentences. What is absent or not known is null.
 *
 * @param names how sentences name instances
 */
public record Fields(InstanceNames names) {
    /** The fields of these records are fields of the record that has them. */
    private static final Set<Class<?>> INLINED =
            Set.of(Source.class, Situation.class, Instances.class, Member.class, MemberRecord.class, ProcessInfo.class);

    /** What the records of a member have for the settling of changes. */
    private static final Set<String> INTERNAL =
            Set.of("runtimeId", "seniority", "format", "formats", "voidUpTo", "waitingFor");

    private static final ClassValue<RecordComponent[]> COMPONENTS = new ClassValue<>() {
        @Override
        protected RecordComponent[] computeValue(Class<?> type) {
            return type.getRecordComponents();
        }
    };

    /** Returns the fields of a record in their order. */
    public Map<String, Object> of(Record holder) {
        Map<String, Object> fields = new LinkedHashMap<>();
        if (holder instanceof Instance instance) {
            put(fields, instance);
        } else if (holder instanceof View view) {
            put(fields, view);
        } else if (holder instanceof History.Entry entry) {
            put(fields, entry);
        } else if (holder instanceof Departure departure) {
            put(fields, departure);
        } else if (holder instanceof Incarnation incarnation) {
            put(fields, incarnation);
        } else if (holder instanceof Status transition) {
            fields.put("millis", transition.sinceMillis());
            fields.put("to", transition.state());
            fields.put("sentence", transition.words(names, transition.sinceMillis()));
        } else {
            putAll(fields, holder);
            if (holder instanceof Change.Settled change) {
                fields.put("tookMillis", change.tookMillis());
            } else if (holder instanceof InstanceStatus status) {
                fields.put("reason", names.clause(status.why()));
                fields.remove("why");
            }
        }
        return fields;
    }

    private void put(Map<String, Object> fields, Instance instance) {
        putAll(fields, instance);
        fields.keySet().removeAll(INTERNAL);
        fields.put("joinedMillis", fields.remove("createdMillis"));
        fields.put("session", instance.session());
        // Of an instance of another cluster the empty text and 0 mean that the value is not known.
        fields.replaceAll((name, value) -> name.equals("position") ? value : known(value));
        fields.put("id", fields.remove("instanceId"));
        fields.put("name", instance.name().orElse(null));
        fields.put("label", instance.label());
        fields.put("console", instance.console().orElse(null));
    }

    private void put(Map<String, Object> fields, View view) {
        put(fields, view.established().head());
        fields.keySet().removeAll(Set.of("previous", "publisher"));
        fields.put("leaderId", view.leaderId());
        fields.put("leader", names.label(view.leaderId()));
        fields.put("current", view.current());
        fields.put("sinceMillis", view.sinceMillis());
    }

    private void put(Map<String, Object> fields, ViewHead head) {
        putAll(fields, head);
        fields.remove("sessionTimeoutMillis");
    }

    private void put(Map<String, Object> fields, History.Entry entry) {
        HistoryEntry stored = entry.stored();
        put(fields, entry.head());
        fields.put("publishedMillis", stored.publishedMillis());
        fields.put("changingMillis", stored.changingMillis());
        fields.put("leader", entry.leader());
        fields.put("size", stored.difference().size());
        fields.put("members", entry.members());
        fields.put("joined", stored.difference().joined());
        fields.put("left", stored.left());
        fields.put(
                "leftOut",
                stored.late().entrySet().stream()
                        .map(late -> Reason.blamed(names.label(late.getKey()), late.getValue()))
                        .toList());
    }

    private void put(Map<String, Object> fields, Departure departure) {
        put(fields, departure.member());
        fields.put("kind", departure.kind().map(Kind::words).orElse(null));
        fields.put("by", departure.by().orElse(null));
        fields.put("words", names.sentence(List.of(Reason.of(departure))));
    }

    private static void put(Map<String, Object> fields, Incarnation incarnation) {
        fields.put("id", incarnation.instanceId());
        fields.put("node", incarnation.node());
    }

    private void putAll(Map<String, Object> fields, Record holder) {
        for (RecordComponent component : COMPONENTS.get(holder.getClass())) {
            if (INLINED.contains(component.getType())) {
                putAll(fields, (Record) get(holder, component));
            } else {
                fields.put(component.getName(), value(component, get(holder, component)));
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
