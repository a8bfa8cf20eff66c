package io.treecast.client;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A condition on members: terms that must all be true, such as {@code gpu>=4, site=east,
 * !draining}. Immutable.
 *
 * <table>
 *   <caption>Terms</caption>
 *   <tr><td>{@code name=value}</td><td>the label has this value</td></tr>
 *   <tr><td>{@code name!=value}</td><td>the label has another value, or the member does not have it</td></tr>
 *   <tr><td>{@code name<value}, {@code <=}, {@code >}, {@code >=}</td><td>the label has such a value</td></tr>
 *   <tr><td>{@code name}</td><td>the member has the label</td></tr>
 *   <tr><td>{@code !name}</td><td>the member does not have the label</td></tr>
 * </table>
 *
 * <p>Two values of digits and dots compare part by part, as versions do: 10 is greater than 9, and
 * 2.10 greater than 2.9. Missing parts are zero. Other values compare as text. {@code id} stands
 * for the node id.
 */
public final class Selector {
  /** The maximum number of terms. */
  public static final int MAX_TERMS = 20;

  private static final Selector ALL = new Selector(List.of());
  private static final String ID = "id";
  private static final Pattern PRESENCE = Pattern.compile("(!?)\\s*([A-Za-z0-9._-]{1,63})");
  private static final Pattern COMPARISON =
      Pattern.compile("([A-Za-z0-9._-]{1,63})\\s*(!=|<=|>=|=|<|>)\\s*([^=<>!,][^,]*)");
  private static final Pattern NUMBERS = Pattern.compile("\\d{1,100}(\\.\\d{1,100})*");

  private final List<Term> terms;

  private Selector(List<Term> terms) {
    this.terms = terms;
  }

  private enum Operator {
    EQUAL("="),
    NOT_EQUAL("!="),
    LESS("<"),
    AT_MOST("<="),
    GREATER(">"),
    AT_LEAST(">="),
    PRESENT(""),
    ABSENT("!");

    private final String text;

    Operator(String text) {
      this.text = text;
    }

    static Operator of(String text) {
      for (Operator operator : values()) {
        if (operator.text.equals(text)) {
          return operator;
        }
      }
      throw new IllegalStateException(text);
    }

    boolean holds(@Nullable String label, String value) {
      if (label == null) {
        return this == NOT_EQUAL || this == ABSENT;
      }
      return switch (this) {
        case EQUAL -> compare(label, value) == 0;
        case NOT_EQUAL -> compare(label, value) != 0;
        case LESS -> compare(label, value) < 0;
        case AT_MOST -> compare(label, value) <= 0;
        case GREATER -> compare(label, value) > 0;
        case AT_LEAST -> compare(label, value) >= 0;
        case PRESENT -> true;
        case ABSENT -> false;
      };
    }
  }

  private record Term(String label, Operator operator, String value) {
    boolean matches(Member member) {
      return operator.holds(label.equals(ID) ? member.id() : member.labels().get(label), value);
    }

    @Override
    public String toString() {
      return operator == Operator.ABSENT ? "!" + label : label + operator.text + value;
    }
  }

  /** Returns the selector of all members. */
  public static Selector all() {
    return ALL;
  }

  /**
   * Parses terms that are separated by commas; an empty text selects all members.
   *
   * @throws IllegalArgumentException if a term is not of the form above, or there are more than
   *     {@link #MAX_TERMS}
   */
  public static Selector parse(String text) {
    if (text.isBlank()) {
      return ALL;
    }
    String[] parts = text.split(",", -1);
    if (parts.length > MAX_TERMS) {
      throw new IllegalArgumentException(
          "a selector has " + parts.length + " terms; allowed are " + MAX_TERMS);
    }
    List<Term> terms = new ArrayList<>();
    for (int i = 0; i < parts.length; i++) {
      terms.add(term(parts[i].strip(), i + 1));
    }
    return new Selector(List.copyOf(terms));
  }

  private static Term term(String text, int place) {
    Matcher comparison = COMPARISON.matcher(text);
    if (comparison.matches()) {
      return new Term(
          comparison.group(1), Operator.of(comparison.group(2)), comparison.group(3).strip());
    }
    Matcher presence = PRESENCE.matcher(text);
    if (presence.matches()) {
      return new Term(presence.group(2), Operator.of(presence.group(1)), "");
    }
    throw new IllegalArgumentException(
        ("term %s of the selector, '%s', is not a condition on a label; write name, !name or "
                + "name=value, with one of = != < <= > >=")
            .formatted(place, text));
  }

  private static int compare(String label, String value) {
    return NUMBERS.matcher(label).matches() && NUMBERS.matcher(value).matches()
        ? compareParts(label.split("\\.", -1), value.split("\\.", -1))
        : label.compareTo(value);
  }

  private static int compareParts(String[] label, String[] value) {
    for (int i = 0; i < Math.max(label.length, value.length); i++) {
      int order = part(label, i).compareTo(part(value, i));
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  private static BigInteger part(String[] parts, int index) {
    return index < parts.length ? new BigInteger(parts[index]) : BigInteger.ZERO;
  }

  /** Returns whether a member matches all terms. */
  public boolean matches(Member member) {
    return terms.stream().allMatch(term -> term.matches(member));
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Selector that && terms.equals(that.terms);
  }

  @Override
  public int hashCode() {
    return terms.hashCode();
  }

  /** Returns the terms in the form that {@link #parse} accepts. */
  @Override
  public String toString() {
    return terms.stream().map(Term::toString).collect(Collectors.joining(", "));
  }
}
