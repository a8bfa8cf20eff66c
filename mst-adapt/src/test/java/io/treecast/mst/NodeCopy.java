package io.treecast.mst;

import io.treecast.ghs.FragmentMap;
import io.treecast.ghs.GhsNode;
import io.treecast.ghs.MemberList;
import io.treecast.ghs.NodeId;
import io.treecast.ghs.Subtree;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Copies the state of a node into another one that was just made for the same name and incarnation.
 * It does so by reflection, over all fields of all parts, so that the product needs no seam and no
 * field can be forgotten. Whatever the parts hold besides collections is immutable and shared.
 *
 * <p>A part is an object of a class of GHS or of this package that is neither a record, an enum, an
 * interface nor one of the {@linkplain #VALUES values}. A node has one object of each such class.
 */
final class NodeCopy {
  /** The classes that are not records, but immutable. */
  private static final Set<Class<?>> VALUES =
      Set.of(
          NodeId.class,
          MemberList.class,
          FragmentMap.class,
          Subtree.class,
          CommittedTree.class,
          CommittedView.class);

  private static final Set<String> PACKAGES =
      Set.of(AdaptiveTree.class.getPackageName(), GhsNode.class.getPackageName());

  /** The fields of each part, without those that lead to a part found nearer to the whole. */
  private static final Map<Class<?>, List<PartField>> FIELDS = readParts();

  /** A field of a part. */
  record PartField(Field field, boolean isPart, boolean isFinal, boolean isCollection) {
    static PartField of(Field field) {
      field.setAccessible(true);
      Class<?> type = field.getType();
      return new PartField(
          field,
          NodeCopy.isPart(type),
          Modifier.isFinal(field.getModifiers()),
          Collection.class.isAssignableFrom(type) || Map.class.isAssignableFrom(type));
    }

    /** For example {@code Search.echoes}. */
    String name() {
      return field.getDeclaringClass().getSimpleName() + "." + field.getName();
    }
  }

  private NodeCopy() {}

  private static boolean isPart(Class<?> type) {
    return PACKAGES.contains(type.getPackageName())
        && !type.isRecord()
        && !type.isEnum()
        && !type.isInterface()
        && !VALUES.contains(type);
  }

  /** The state of a part, field by field. */
  static List<PartField> fieldsOf(Class<?> part) {
    List<PartField> fields = FIELDS.get(part);
    if (fields == null) {
      throw new IllegalArgumentException(part + " is not a part of a node");
    }
    return fields;
  }

  private static Map<Class<?>, List<PartField>> readParts() {
    VALUES.forEach(NodeCopy::checkThatItNeverChanges);
    Map<Class<?>, List<PartField>> all = new HashMap<>();
    Set<Class<?>> found = new HashSet<>(Set.of(AdaptiveTree.class));
    Deque<Class<?>> open = new ArrayDeque<>(found);
    while (!open.isEmpty()) {
      Class<?> part = open.remove();
      List<PartField> fields = new ArrayList<>();
      for (Field field : part.getDeclaredFields()) {
        if (Modifier.isStatic(field.getModifiers()) || field.isSynthetic()) {
          continue;
        }
        if (!isPart(field.getType())) {
          fields.add(PartField.of(field));
        } else if (found.add(field.getType())) {
          fields.add(PartField.of(field));
          open.add(field.getType());
        }
      }
      all.put(part, fields);
    }
    return all;
  }

  private static void checkThatItNeverChanges(Class<?> value) {
    if (Stream.of(value.getDeclaredFields())
        .anyMatch(field -> !Modifier.isFinal(field.getModifiers()) && !field.isSynthetic())) {
      throw new IllegalStateException(value + " can change: it is not a value");
    }
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
