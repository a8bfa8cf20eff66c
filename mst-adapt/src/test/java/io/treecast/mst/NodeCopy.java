package io.treecast.mst;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Copies the state of a node into another one that was just made for the same name and incarnation.
 * By reflection, over all fields of all parts, so that the product needs no seam and no field can
 * be forgotten; what the parts hold beside collections is immutable and shared.
 */
final class NodeCopy {
  private static final Set<Class<?>> PARTS =
      Set.of(
          RankedTree.class,
          NodeState.class,
          LinkTable.class,
          CauseLog.class,
          Search.class,
          Joining.class,
          Admission.class,
          Commitment.class,
          Certification.class,
          Repair.class,
          LinkEvents.class);

  private static final Map<Class<?>, List<PartField>> FIELDS = new HashMap<>();

  /** A field of a part. */
  record PartField(Field field, boolean isPart, boolean isFinal, boolean isCollection) {
    static PartField of(Field field) {
      field.setAccessible(true);
      Class<?> type = field.getType();
      if (changes(type) && !PARTS.contains(type)) {
        throw new IllegalStateException(type + " can change: name it among the parts");
      }
      return new PartField(
          field,
          PARTS.contains(type),
          Modifier.isFinal(field.getModifiers()),
          Collection.class.isAssignableFrom(type) || Map.class.isAssignableFrom(type));
    }

    private static boolean changes(Class<?> type) {
      return type.getPackage() == RankedTree.class.getPackage()
          && !type.isEnum()
          && Stream.of(type.getDeclaredFields())
              .anyMatch(f -> !Modifier.isFinal(f.getModifiers()) && !f.isSynthetic());
    }

    /** For example {@code Search.echoes}. */
    String name() {
      return field.getDeclaringClass().getSimpleName() + "." + field.getName();
    }
  }

  private NodeCopy() {}

  /** The state of a part, field by field, without what leads back to the whole. */
  static List<PartField> fieldsOf(Class<?> part) {
    return FIELDS.computeIfAbsent(part, NodeCopy::readFields);
  }

  private static List<PartField> readFields(Class<?> part) {
    List<PartField> fields = new ArrayList<>();
    for (Field field : part.getDeclaredFields()) {
      boolean leadsBack =
          part != RankedTree.class
              && (field.getType() == NodeState.class || field.getType() == RankedTree.class);
      if (!Modifier.isStatic(field.getModifiers()) && !field.isSynthetic() && !leadsBack) {
        fields.add(PartField.of(field));
      }
    }
    return fields;
  }

  static void copy(Object from, Object to) throws IllegalAccessException {
    for (PartField each : fieldsOf(from.getClass())) {
      Object value = each.field.get(from);
      if (each.isPart) {
        copy(value, each.field.get(to));
      } else if (!each.isFinal) {
        each.field.set(to, value);
      } else if (each.isCollection) {
        refill(value, each.field.get(to));
      }
    }
  }

  @SuppressWarnings("unchecked")
  private static void refill(Object from, Object to) {
    if (from instanceof Map<?, ?> map) {
      ((Map<Object, Object>) to).clear();
      ((Map<Object, Object>) to).putAll(map);
    } else {
      ((Collection<Object>) to).clear();
      ((Collection<Object>) to).addAll((Collection<?>) from);
    }
  }
}
