package io.treecast.cli.messages;

import io.treecast.cli.tree.TreeDrawing;
import io.treecast.client.Confirmation.Hop;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Draws the path of a broadcast: each member below the one from which it received the message, in
 * the order of time.
 *
 * <pre>
 * 12            0.0 ms
 * ├─ 13         0.1 ms ± 0.1 ms
 * └─ 8         70.2 ms ± 0.3 ms
 *    └─ 9      70.4 ms ± 0.4 ms
 * </pre>
 *
 * <p>If a member on the path has not confirmed, the members behind it are drawn at the margin with
 * the name of their sender. Single-threaded.
 */
final class TraceDrawing {
  private final Charset charset;
  private final boolean unicode;
  private final Map<String, List<Hop>> byFrom = new HashMap<>();
  private final Set<String> drawn = new HashSet<>();
  private final List<String> names = new ArrayList<>();
  private final List<String> times = new ArrayList<>();

  private TraceDrawing(Charset charset) {
    this.charset = charset;
    this.unicode = TreeDrawing.showsUnicode(charset);
  }

  /** Returns the lines, for a terminal with that character set. */
  static List<String> lines(List<Hop> hops, Charset charset) {
    TraceDrawing drawing = new TraceDrawing(charset);
    drawing.draw(hops);
    return drawing.lines();
  }

  private void draw(List<Hop> hops) {
    List<Hop> sorted = new ArrayList<>(hops);
    sorted.sort(Comparator.comparingLong(Hop::afterNanos));
    Set<String> known = new HashSet<>();
    for (Hop hop : sorted) {
      known.add(hop.member());
      if (hop.from() != null) {
        byFrom.computeIfAbsent(hop.from(), from -> new ArrayList<>()).add(hop);
      }
    }
    for (Hop hop : sorted) {
      if (hop.from() == null || !known.contains(hop.from())) {
        drawRoot(hop);
      }
    }
    // After restarts, members may name each other as senders.
    sorted.stream().filter(hop -> !drawn.contains(hop.member())).forEach(this::drawRoot);
  }

  private void drawRoot(Hop hop) {
    if (drawn.add(hop.member())) {
      line(hop.member() + (hop.from() == null ? "" : " from " + hop.from()), hop);
      drawBelow(hop, "");
    }
  }

  private void drawBelow(Hop hop, String margin) {
    List<Hop> below = new ArrayList<>(byFrom.getOrDefault(hop.member(), List.of()));
    below.removeIf(next -> !drawn.add(next.member()));
    for (int i = 0; i < below.size(); i++) {
      boolean last = i == below.size() - 1;
      String branch = last ? mark("└─ ", "`- ") : mark("├─ ", "|- ");
      line(margin + branch + below.get(i).member(), below.get(i));
      drawBelow(below.get(i), margin + (last ? "   " : mark("│  ", "|  ")));
    }
  }

  private String mark(String ofUnicode, String ofAscii) {
    return unicode ? ofUnicode : ofAscii;
  }

  private void line(String name, Hop hop) {
    names.add(name);
    times.add(ConfirmationText.millis(hop, charset));
  }

  private List<String> lines() {
    int width = names.stream().mapToInt(String::length).max().orElse(0);
    int digits = times.stream().mapToInt(time -> time.indexOf('.')).max().orElse(0);
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      String time = times.get(i);
      int spaces = width - names.get(i).length() + 2 + digits - time.indexOf('.');
      lines.add(names.get(i) + " ".repeat(spaces) + time);
    }
    return lines;
  }
}
