package io.treecast.collectives.claim;

import io.treecast.ghs.NodeId;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The whole state of a member's {@link Claims}, by reflection over all fields, so that no field can
 * be forgotten: copied into other claims, and as a number that is the same for equal states.
 */
final class StateOf {
  private static final Set<String> UNCHANGING_OR_UNUSED =
      Set.of("send", "store", "effects", "limits", "acceptedBefore", "refusedBefore");

  private static final Map<Class<?>, List<Field>> FIELDS = new HashMap<>();

  private StateOf() {}

  /** Copies a state into claims that were just made for the same member. */
  static void copy(Claims from, Claims to) {
    try {
      copyFields(from, to, to);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  @SuppressWarnings("unchecked")
  private static void copyFields(Object from, Object to, Claims claims)
      throws IllegalAccessException {
    for (Field field : fields(from.getClass())) {
      Object value = field.get(from);
      Object present = field.get(to);
      if (value instanceof Voter) {
        copyFields(value, present, claims);
      } else if (value instanceof Map<?, ?> map && Modifier.isFinal(field.getModifiers())) {
        Map<Object, Object> copy = (Map<Object, Object>) present;
        copy.clear();
        for (Map.Entry<?, ?> each : map.entrySet()) {
          copy.put(each.getKey(), copied(each.getValue(), claims));
        }
      } else if (value instanceof Collection<?> items && Modifier.isFinal(field.getModifiers())) {
        Collection<Object> copy = (Collection<Object>) present;
        copy.clear();
        copy.addAll(items);
      } else {
        field.set(to, value);
      }
    }
  }

  private static Object copied(Object value, Claims claims) throws IllegalAccessException {
    if (value instanceof Vote vote) {
      Vote copy = new Vote(0, 0);
      copyFields(vote, copy, claims);
      return copy;
    }
    if (value instanceof Claimant claimant) {
      Claimant copy = new Claimant(claimant.owner, claimant.acquisition, 0, claims::send);
      copyFields(claimant, copy, claims);
      return copy;
    }
    return value;
  }

  /** Returns a number for the state of claims or of a message. */
  static long digest(@Nullable Object value) {
    try {
      return digest(0x9e37_79b9_7f4a_7c15L, value);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static long mix(long hash, long value) {
    long mixed = (hash ^ value) * 0xff51_afd7_ed55_8ccdL;
    return mixed ^ (mixed >>> 29);
  }

  private static long digest(long before, @Nullable Object value)
      throws ReflectiveOperationException {
    long hash = before;
    if (value == null) {
      return mix(hash, 1);
    } else if (value instanceof Number number) {
      return mix(hash, number.longValue());
    } else if (value instanceof Boolean flag) {
      return mix(hash, flag ? 2 : 3);
    } else if (value instanceof NodeId || value instanceof String) {
      return mix(hash, value.toString().hashCode());
    } else if (value instanceof Enum<?> constant) {
      return mix(hash, constant.name().hashCode());
    } else if (value instanceof Map<?, ?> map) {
      for (Map.Entry<?, ?> each : map.entrySet()) {
        hash = digest(digest(hash, each.getKey()), each.getValue());
      }
      return mix(hash, map.size());
    } else if (value instanceof Collection<?> items) {
      for (Object item : items) {
        hash = digest(hash, item);
      }
      return mix(hash, items.size());
    }
    for (Field field : fields(value.getClass())) {
      hash = digest(hash, field.get(value));
    }
    return mix(hash, value.getClass().getSimpleName().hashCode());
  }

  /**
   * Returns the fields of a class that can differ between states of one member, and on which its
   * decisions depend. The answers to the round before only explain why a call has ended.
   */
  private static List<Field> fields(Class<?> type) {
    return FIELDS.computeIfAbsent(
        type,
        of -> {
          List<Field> fields = new ArrayList<>();
          for (Field field : of.getDeclaredFields()) {
            if (!Modifier.isStatic(field.getModifiers())
                && !UNCHANGING_OR_UNUSED.contains(field.getName())) {
              field.setAccessible(true);
              fields.add(field);
            }
          }
          return fields;
        });
  }
}
