package io.treecast.testkit.sim;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor.JavaType;
import com.google.protobuf.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A number in a frame.
 *
 * @param path the fields that lead to the number, which is the last; of repeated fields the first
 *     element
 */
record NumericField(List<FieldDescriptor> path) {
  /** Limit of nesting, deeper than any frame. */
  private static final int MAX_DEPTH = 8;

  /** Returns all numeric fields of a kind of frame. */
  static List<NumericField> of(Descriptor frame) {
    List<NumericField> found = new ArrayList<>();
    find(frame, List.of(), found);
    return found;
  }

  private static void find(
      Descriptor message, List<FieldDescriptor> before, List<NumericField> found) {
    for (FieldDescriptor field : message.getFields()) {
      List<FieldDescriptor> path = new ArrayList<>(before);
      path.add(field);
      if (field.getJavaType() == JavaType.INT || field.getJavaType() == JavaType.LONG) {
        found.add(new NumericField(List.copyOf(path)));
      } else if (field.getJavaType() == JavaType.MESSAGE && path.size() < MAX_DEPTH) {
        find(field.getMessageType(), path, found);
      }
    }
  }

  /**
   * Returns the frame with a number in this field; the same frame if it does not have the field.
   */
  Message set(Message frame, long number) {
    return set(frame, 0, number);
  }

  private Message set(Message message, int depth, long number) {
    FieldDescriptor field = path.get(depth);
    boolean isThere =
        field.isRepeated()
            ? message.getRepeatedFieldCount(field) > 0
            : !field.hasPresence() || message.hasField(field);
    if (!isThere) {
      return message;
    }
    Object before =
        field.isRepeated() ? message.getRepeatedField(field, 0) : message.getField(field);
    Object after;
    if (before instanceof Message nested) {
      after = set(nested, depth + 1, number);
      if (after == nested) {
        return message;
      }
    } else {
      after = field.getJavaType() == JavaType.INT ? (Object) (int) number : (Object) number;
    }
    Message.Builder changed = message.toBuilder();
    if (field.isRepeated()) {
      changed.setRepeatedField(field, 0, after);
    } else {
      changed.setField(field, after);
    }
    return changed.build();
  }

  /** Returns for example {@code initiate.round.fragment.epoch}. */
  @Override
  public String toString() {
    return path.stream().map(FieldDescriptor::getName).collect(Collectors.joining("."));
  }
}
