package io.treecast.testkit.schedule;

import io.treecast.agent.config.NearestName;
import io.treecast.collectives.broadcast.message.Topic;
import io.treecast.testkit.network.NetworkConditions;
import io.treecast.testkit.network.NodeGroup;
import io.treecast.testkit.network.ReferenceNetwork;
import io.treecast.testkit.network.Topology;
import io.treecast.testkit.schedule.Schedule.Start;
import io.treecast.testkit.schedule.Schedule.Step;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.math.BigDecimal;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads a schedule from a text file.
 *
 * <p>Each line has one event: its time, its name and its nodes or links. {@code #} begins a
 * comment, to the end of the line. Times do not decrease. Lines at the top that begin with {@code
 * start} set the initial state: {@code start rtt 4-6 1} the round trip of a link, {@code start
 * network reference-1ms} the network, and {@code start threshold 10%}, {@code start floor 0.5},
 * {@code start error 50%} and {@code start change-cost 0%} the thresholds of significant changes. A
 * link is {@code 4-6}, a group of nodes {@code 0-11,24}.
 *
 * <pre>{@code
 * # time  event
 * 10s     rtt 4-6 6001
 * 20s     partition 0-11 | 12-23
 * 30s     heal
 * 80s     broadcast 12 24B
 * }</pre>
 *
 * <p>One instance per file; single-threaded.
 */
public final class ScheduleFile {
  /** The word in place of a time, for the state before any agent starts. */
  static final String START = "start";

  /** The word before the name of the schedule's network. */
  static final String NETWORK = "network";

  /** The command line's name of the event {@code down}, for a hint in the error message. */
  private static final String CUT = "cut";

  private static final Pattern SPACES = Pattern.compile("\\s+");
  private static final Pattern LINK = Pattern.compile("(\\d{1,9})-(\\d{1,9})");
  private static final Pattern NODE = Pattern.compile("\\d{1,9}");
  private static final Pattern DECIMAL = Pattern.compile("\\d{1,9}(?:\\.\\d{1,6})?");
  private static final double MAX_RTT_MILLIS = Topology.MAX_RTT_MICROS / 1e3;

  /** Parses the words that follow the name of an event. */
  private interface Form {
    ScheduleEvent read(List<String> words);
  }

  /**
   * A kind of event.
   *
   * @param usage the syntax
   * @param words the number of words that follow its name; -1 for any number
   * @param form the parser of these words
   */
  private record Kind(String usage, int words, Form form) {}

  private static final Map<String, Kind> KINDS = kinds();

  /** The words of {@code start} beside round trips. */
  private static final List<String> STARTS =
      List.of(
          NETWORK,
          Thresholds.THRESHOLD,
          Thresholds.FLOOR,
          Thresholds.ERROR,
          Thresholds.CHANGE_COST);

  private final String name;
  private final List<Start> start = new ArrayList<>();
  private @Nullable String network;
  private Thresholds thresholds = Thresholds.NONE;
  private final List<Step> steps = new ArrayList<>();

  private ScheduleFile(String name) {
    this.name = name;
  }

  private static Map<String, Kind> kinds() {
    Map<String, Kind> kinds = new LinkedHashMap<>();
    kinds.put("rtt", new Kind("rtt A-B MILLIS", 2, ScheduleFile::rtt));
    kinds.put("down", link("down", ScheduleEvent.Down::new));
    kinds.put("up", link("up", ScheduleEvent.Up::new));
    kinds.put("loss", new Kind("loss A-B PERCENT%", 2, ScheduleFile::loss));
    kinds.put("oneway", link("oneway", ScheduleEvent.OneWay::new));
    kinds.put("reset", link("reset", ScheduleEvent.Reset::new));
    kinds.put("partition", new Kind("partition NODES | NODES", -1, ScheduleFile::partition));
    kinds.put(
        "heal", new Kind("heal, and for one link up A-B", 0, words -> new ScheduleEvent.Heal()));
    kinds.put("crash", node("crash", ScheduleEvent.Crash::new));
    kinds.put("restart", node("restart", ScheduleEvent.Restart::new));
    kinds.put("pause", node("pause", ScheduleEvent.Pause::new));
    kinds.put("resume", node("resume", ScheduleEvent.Resume::new));
    kinds.put("leave", node("leave", ScheduleEvent.Leave::new));
    kinds.put("join", new Kind("join NODE like NODE", 3, ScheduleFile::join));
    kinds.put("broadcast", new Kind("broadcast NODE SIZE [TOPIC]", -1, ScheduleFile::broadcast));
    kinds.put("subscribe", topic("subscribe", ScheduleEvent.Subscribe::new));
    kinds.put("unsubscribe", topic("unsubscribe", ScheduleEvent.Unsubscribe::new));
    return kinds;
  }

  private interface LinkEvent {
    ScheduleEvent between(int one, int other);
  }

  private static Kind link(String name, LinkEvent event) {
    return new Kind(
        name + " A-B",
        1,
        words -> {
          int[] ends = ends(words.get(0));
          return event.between(ends[0], ends[1]);
        });
  }

  private interface NodeEvent {
    ScheduleEvent of(int node);
  }

  private static Kind node(String name, NodeEvent event) {
    return new Kind(name + " NODE", 1, words -> event.of(node(words.get(0))));
  }

  private interface TopicEvent {
    ScheduleEvent of(int node, String topic);
  }

  private static Kind topic(String name, TopicEvent event) {
    return new Kind(
        name + " NODE TOPIC",
        2,
        words -> event.of(node(words.get(0)), Topic.checked(words.get(1))));
  }

  /**
   * Reads a file.
   *
   * @throws ScheduleFormatException if it is not a schedule
   * @throws IOException if it cannot be read; the message names it
   */
  public static Schedule read(Path file) throws IOException {
    try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      return read(file.toString(), reader);
    } catch (NoSuchFileException e) {
      throw new NoSuchFileException(file.toString(), null, "there is no such schedule file");
    } catch (CharacterCodingException e) {
      throw new ScheduleFormatException(file.toString(), 1, "the file is not text in UTF-8");
    }
  }

  /**
   * Reads a text.
   *
   * @param name the name of the text in errors
   * @throws ScheduleFormatException if it is not a schedule
   * @throws IOException if the reader fails
   */
  public static Schedule read(String name, Reader text) throws IOException {
    ScheduleFile file = new ScheduleFile(name);
    BufferedReader lines = new BufferedReader(text);
    int number = 0;
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      file.line(++number, line.replaceFirst("#.*", "").strip());
    }
    return new Schedule(name, file.network, file.thresholds, file.start, file.steps);
  }

  private void line(int number, String line) throws ScheduleFormatException {
    if (line.isEmpty()) {
      return;
    }
    try {
      List<String> words = Arrays.asList(SPACES.split(line));
      if (words.get(0).equals(START)) {
        start(number, words);
      } else {
        steps.add(step(number, words));
      }
    } catch (IllegalArgumentException e) {
      throw new ScheduleFormatException(name, number, String.valueOf(e.getMessage()));
    }
  }

  private void start(int number, List<String> words) {
    if (!steps.isEmpty()) {
      throw new IllegalArgumentException("'start' belongs before all times");
    }
    String what = words.size() < 2 ? "" : words.get(1);
    if (what.equals("rtt") && event(words) instanceof ScheduleEvent.Rtt rtt) {
      start.add(new Start(rtt, number));
      return;
    }
    if (words.size() != 3 || !STARTS.contains(what)) {
      throw new IllegalArgumentException(
          "'start' is followed by rtt A-B MILLIS, network NAME, threshold PERCENT%, floor MILLIS,"
              + " error PERCENT% or change-cost PERCENT%");
    }
    String value = words.get(2);
    if (what.equals(NETWORK)) {
      network = ReferenceNetwork.checkedName(value);
      return;
    }
    Thresholds more =
        switch (what) {
          case Thresholds.THRESHOLD -> new Thresholds(Thresholds.percent(value), null, null, null);
          case Thresholds.FLOOR -> new Thresholds(null, Thresholds.millis(value), null, null);
          case Thresholds.ERROR -> new Thresholds(null, null, Thresholds.percent(value), null);
          default -> new Thresholds(null, null, null, Thresholds.percent(value));
        };
    thresholds = more.orElse(thresholds);
  }

  private Step step(int number, List<String> words) {
    long atMillis = ScheduleTime.millis(words.get(0));
    long lastMillis = steps.isEmpty() ? 0 : steps.get(steps.size() - 1).atMillis();
    if (atMillis < lastMillis) {
      throw new IllegalArgumentException(
          "%s is earlier than %s above; order the lines by time"
              .formatted(words.get(0), ScheduleTime.text(lastMillis)));
    }
    if (steps.size() >= Schedule.MAX_STEPS) {
      throw new IllegalArgumentException("more than " + Schedule.MAX_STEPS + " events");
    }
    return new Step(atMillis, event(words), number);
  }

  private static ScheduleEvent event(List<String> words) {
    if (words.size() < 2) {
      throw new IllegalArgumentException(
          "no event after '" + words.get(0) + "'; allowed are " + KINDS.keySet());
    }
    String event = words.get(1);
    Kind kind = KINDS.get(event);
    if (kind == null) {
      String nearest = event.equals(CUT) ? "down" : NearestName.of(event, KINDS.keySet());
      throw new IllegalArgumentException(
          "'"
              + event
              + "' is not an event"
              + (nearest == null ? "" : "; did you mean '" + nearest + "'?")
              + "; allowed are "
              + String.join(", ", KINDS.keySet()));
    }
    List<String> rest = words.subList(2, words.size());
    try {
      if (kind.words() >= 0 && rest.size() != kind.words()) {
        throw new IllegalArgumentException("'" + String.join(" ", rest) + "' does not fit");
      }
      return kind.form().read(rest);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          event + ": " + e.getMessage() + " (usage: " + kind.usage() + ")", e);
    }
  }

  private static ScheduleEvent rtt(List<String> words) {
    int[] ends = ends(words.get(0));
    BigDecimal millis = decimal(words.get(1));
    if (millis == null || millis.doubleValue() > MAX_RTT_MILLIS || millis.doubleValue() < 0.001) {
      throw new IllegalArgumentException(
          "'" + words.get(1) + "' is not a round trip; allowed are 0.001 to 3600000 milliseconds");
    }
    return new ScheduleEvent.Rtt(ends[0], ends[1], millis);
  }

  private static ScheduleEvent loss(List<String> words) {
    int[] ends = ends(words.get(0));
    String text = words.get(1);
    BigDecimal percent = text.endsWith("%") ? decimal(text.substring(0, text.length() - 1)) : null;
    if (percent == null || percent.doubleValue() > NetworkConditions.MAX_LOSS * 100) {
      throw new IllegalArgumentException("'" + text + "' is not a loss; allowed are 0% to 99%");
    }
    return new ScheduleEvent.Loss(ends[0], ends[1], percent);
  }

  private static ScheduleEvent join(List<String> words) {
    if (!words.get(1).equals("like")) {
      throw new IllegalArgumentException("expected 'like' instead of '" + words.get(1) + "'");
    }
    return new ScheduleEvent.Join(node(words.get(0)), node(words.get(2)));
  }

  private static ScheduleEvent broadcast(List<String> words) {
    if (words.size() < 2 || words.size() > 3) {
      throw new IllegalArgumentException("'" + String.join(" ", words) + "' does not fit");
    }
    return new ScheduleEvent.Broadcast(
        node(words.get(0)),
        PayloadSize.bytes(words.get(1)),
        words.size() == 2 ? Topic.DEFAULT : Topic.checked(words.get(2)));
  }

  private static ScheduleEvent partition(List<String> words) {
    List<NodeGroup> groups = new ArrayList<>();
    for (String group : String.join("", words).split("\\|", -1)) {
      groups.add(group(group));
    }
    if (groups.size() < 2) {
      throw new IllegalArgumentException("a partition has at least two sides");
    }
    return new ScheduleEvent.Partition(groups);
  }

  private static NodeGroup group(String text) {
    List<Integer> nodes = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      if (NODE.matcher(part).matches()) {
        nodes.add(node(part));
      } else if (LINK.matcher(part).matches()) {
        String[] range = part.split("-", -1);
        int last = node(range[1]);
        for (int node = node(range[0]); node <= last; node++) {
          nodes.add(node);
        }
      } else {
        throw new IllegalArgumentException(
            "'" + part + "' is not a group of nodes; allowed are numbers and ranges as in 0-11,24");
      }
    }
    return NodeGroup.of(nodes);
  }

  private static int[] ends(String text) {
    Matcher link = LINK.matcher(text);
    if (!link.matches() || link.group(1).equals(link.group(2))) {
      throw new IllegalArgumentException(
          "'" + text + "' is not a link; allowed are two nodes as in 4-6");
    }
    return new int[] {node(link.group(1)), node(link.group(2))};
  }

  private static int node(String text) {
    if (!NODE.matcher(text).matches() || Integer.parseInt(text) >= Topology.MAX_NODES) {
      throw new IllegalArgumentException(
          "'%s' is not a node; allowed are numbers from 0 to %s"
              .formatted(text, Topology.MAX_NODES - 1));
    }
    return Integer.parseInt(text);
  }

  private static @Nullable BigDecimal decimal(String text) {
    return DECIMAL.matcher(text).matches() ? new BigDecimal(text) : null;
  }
}
