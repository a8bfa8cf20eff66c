package io.treecast.agent.core;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Counts the entries of all collections that an object of this project keeps, itself or by others
 * of this project. Whatever grows with what comes in shows up here, also in a field that is added
 * later.
 */
final class KeptEntries {
  private static final String PROJECT = "io.treecast.";

  private static final ClassValue<List<Field>> FIELDS =
      new ClassValue<>() {
        @Override
        protected List<Field> computeValue(Class<?> type) {
          List<Field> fields = new ArrayList<>();
          for (Class<?> c = type; c != null && c.getName().startsWith(PROJECT); ) {
            for (Field field : c.getDeclaredFields()) {
              if (!Modifier.isStatic(field.getModifiers()) && !field.getType().isPrimitive()) {
                field.setAccessible(true);
                fields.add(field);
              }
            }
            c = c.getSuperclass();
          }
          return fields;
        }
      };

  private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Deque<Object> open = new ArrayDeque<>();
  private long entries;

  private KeptEntries() {}

  /** Counts the entries that the root reaches without an object of one of these types. */
  static long of(Object root, Class<?>... others) {
    KeptEntries kept = new KeptEntries();
    kept.reach(root);
    while (!kept.open.isEmpty()) {
      Object object = kept.open.pop();
      if (List.of(others).stream().noneMatch(other -> other.isInstance(object))) {
        kept.look(object);
      }
    }
    return kept.entries;
  }

  private void reach(@Nullable Object object) {
    if (object != null && !object.getClass().isEnum() && seen.add(object)) {
      open.push(object);
    }
  }

  private void look(Object object) {
    if (object instanceof Map<?, ?> map) {
      entries += map.size();
      map.keySet().forEach(this::reach);
      map.values().forEach(this::reach);
    } else if (object instanceof Collection<?> collection) {
      entries += collection.size();
      collection.forEach(this::reach);
    } else if (object instanceof Object[] array) {
      entries += array.length;
      for (Object element : array) {
        reach(element);
      }
    } else {
      FIELDS.get(object.getClass()).forEach(field -> reach(value(field, object)));
    }
  }

  private static @Nullable Object value(Field field, Object object) {
    try {
      return field.get(object);
    } catch (IllegalAccessException e) {
      throw new AssertionError(e);
    }
  }
}
