package io.treecast.agent.wire.value;

import java.util.ArrayList;
import java.util.List;

/**
 * Checks of decoded values. Each returns a value that is allowed, or throws a {@link WireViolation}
 * that names the value and the bounds.
 */
public final class Bounds {
  private Bounds() {}

  /** Decodes a part of a frame. */
  @FunctionalInterface
  public interface Decoder<E, D> {
    D decode(E encoded) throws WireViolation;
  }

  /** Creates a value from decoded parts. */
  @FunctionalInterface
  public interface Creation<T> {
    T create() throws WireViolation;
  }

  /**
   * Returns a number in its range.
   *
   * @param text its description, with {@code %s} in place of the number
   */
  public static long within(String text, long value, long least, long most) throws WireViolation {
    if (value < least || value > most) {
      throw outside(text, Long.toUnsignedString(value), least, most);
    }
    return value;
  }

  /** Returns a number in its range, as {@link #within(String, long, long, long)} does. */
  public static int within(String text, int value, int least, int most) throws WireViolation {
    if (value < least || value > most) {
      throw outside(text, Integer.toUnsignedString(value), least, most);
    }
    return value;
  }

  /** Returns a number of at least 1. */
  public static long positive(String text, long value) throws WireViolation {
    return within(text, value, 1, Long.MAX_VALUE);
  }

  private static WireViolation outside(String text, String value, long least, long most) {
    String allowed =
        most == Long.MAX_VALUE
            ? "; the least is " + least
            : "; allowed are %s to %s".formatted(least, most);
    return new WireViolation(text.formatted(value) + allowed);
  }

  /**
   * Returns the decoded elements of a list of limited length.
   *
   * @param what the elements, for the error
   */
  public static <E, D> List<D> all(String what, List<E> encoded, int most, Decoder<E, D> decoder)
      throws WireViolation {
    if (encoded.size() > most) {
      throw new WireViolation(encoded.size() + " " + what + "; allowed are " + most);
    }
    List<D> decoded = new ArrayList<>(encoded.size());
    for (E element : encoded) {
      decoded.add(decoder.decode(element));
    }
    return decoded;
  }

  /**
   * Returns a value whose constructor checks its parts.
   *
   * @param what the beginning of the error before the constructor's reason; may be empty
   */
  public static <T> T checked(String what, Creation<T> creation) throws WireViolation {
    try {
      return creation.create();
    } catch (IllegalArgumentException e) {
      throw new WireViolation(what + e.getMessage());
    }
  }
}
