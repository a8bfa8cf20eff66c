package io.treecast.cli.messages;

import io.treecast.client.Confirmation;
import io.treecast.client.Confirmation.Hop;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The known deliveries of a broadcast, for people. */
final class ConfirmationText {
  /** Limit of the listed members. */
  private static final int MAX_NAMED = 12;

  private ConfirmationText() {}

  /**
   * Returns the number of members that have the broadcast, the time, and the members without a
   * subscriber. The word is "delivered" only if each member had a subscriber.
   *
   * @param isForSelected whether it was sent to selected members
   * @param charset the character set of the terminal
   */
  static String summary(Confirmation confirmation, boolean isForSelected, Charset charset) {
    int having = confirmation.hops().size();
    int members = having + confirmation.failed().size() + confirmation.unknown().size();
    String time =
        millis(confirmation.timeToLastNanos(), confirmation.timeToLastErrorNanos(), charset);
    List<String> handedToNobody = confirmation.withoutSubscriber();
    if (members == 1) {
      String alone =
          isForSelected ? onlyMember(confirmation) : "the agent itself, which is the only member";
      if (having == 0) {
        return "not delivered by " + alone;
      }
      return handedToNobody.isEmpty()
          ? "delivered after " + time + " by " + alone
          : "reached " + alone + ", after " + time + withoutSubscriber(handedToNobody);
    }
    if (having == 0) {
      return "delivered by none of " + members + " members";
    }
    return (handedToNobody.isEmpty() ? "delivered by " : "reached ")
        + (confirmation.isComplete() ? "all " : having + " of ")
        + members
        + " members, the last after "
        + time
        + withoutSubscriber(handedToNobody);
  }

  private static String onlyMember(Confirmation confirmation) {
    return Stream.of(
            confirmation.delivered(),
            confirmation.withoutSubscriber(),
            confirmation.failed(),
            confirmation.unknown())
        .flatMap(List::stream)
        .findFirst()
        .orElseThrow();
  }

  /**
   * Returns the members that have the broadcast but no subscriber, by name, or their number if
   * there are many.
   */
  private static String withoutSubscriber(List<String> members) {
    if (members.isEmpty()) {
      return "";
    }
    return members.size() > MAX_NAMED
        ? "; " + members.size() + " of them have no subscriber"
        : "; without a subscriber: " + String.join(", ", members);
  }

  /**
   * Returns the suffix of the summary with the known members outside the tree, which were not
   * asked.
   */
  static String absent(List<String> absent) {
    if (absent.isEmpty()) {
      return "";
    }
    return "; "
        + absent.stream().limit(MAX_NAMED).collect(Collectors.joining(", "))
        + (absent.size() > MAX_NAMED ? ", ... (" + absent.size() + ")" : "")
        + (absent.size() == 1 ? " is" : " are")
        + " known and outside the tree";
  }

  /**
   * Returns the members that have not confirmed, and what to do next.
   *
   * @param wasUploaded whether the payload was uploaded, so that logs drop its pieces early
   */
  static String missing(Confirmation confirmation, boolean wasUploaded) {
    List<String> missing = new ArrayList<>();
    if (!confirmation.unknown().isEmpty()) {
      missing.add(
          String.join(", ", confirmation.unknown())
              + " (in the tree; may have it, get it later, or have restarted without it)");
    }
    if (!confirmation.failed().isEmpty()) {
      missing.add(String.join(", ", confirmation.failed()) + " (not in the tree)");
    }
    return "not confirmed by "
        + String.join(" and ", missing)
        + "; members that get it later do not confirm it, and --retry has the same "
        + "answer; 'treecast tree show' and 'treecast links' show the present members. "
        + "Do not send it again: "
        + (wasUploaded
            ? "members that stayed in the tree still get it; those that restarted or were "
                + "away for long do not, and their subscribers are notified; the others would "
                + "get it twice"
            : "members in the tree still get it, as far as the logs reach, and the others "
                + "would get it twice");
  }

  /** Returns for example {@code 12.3 ms ± 0.1 ms}. */
  private static String millis(long nanos, long errorNanos, Charset charset) {
    String time = String.format(Locale.ROOT, "%.1f ms", nanos / 1e6);
    if (errorNanos == 0) {
      return time;
    }
    // Rounded up, since the error is an upper bound.
    double errorMillis = Math.ceil(errorNanos / 1e5) / 10;
    String plusMinus = charset.newEncoder().canEncode('±') ? "±" : "+-";
    return time + String.format(Locale.ROOT, " %s %.1f ms", plusMinus, errorMillis);
  }

  /** Returns a hop's time in a trace. */
  static String millis(Hop hop, Charset charset) {
    return millis(hop.afterNanos(), hop.errorNanos(), charset);
  }
}
