package io.treecast.mst;

import io.treecast.ghs.GhsMessage;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.TreeMessage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A story of a few nodes: a script, and what then happens, in virtual time.
 *
 * <pre>
 *   # A comment.
 *   link 0-1 10          weight 10 ms; a message takes 5 ms each way
 *   link 0-2 20 via 3    weight 20 ms; a message takes 3 ms each way
 *   at 100 down 0-1      also: up 0-1 10, weight 0-1 10, crash 2, restart 2
 *
 *   &gt;   5.0  0 -&gt; 1 Connect over 0-1@10, rank 0.0
 * </pre>
 *
 * <p>A restarted node comes back with all its links. All start at 0.
 */
final class Story {
  private static final Pattern LINK =
      Pattern.compile("link (\\d)-(\\d) (\\d+)(?: via (\\d+(?:\\.\\d)?))?(?: from the event on)?");
  private static final Pattern EVENT =
      Pattern.compile("at (\\d+(?:\\.\\d)?) (\\w+) (\\d)(?:-(\\d)(?: (\\d+))?)?");

  private final StringBuilder told = new StringBuilder();
  private final Map<Pair, Long> delays = new HashMap<>();
  private final Map<Pair, Long> rtts = new HashMap<>();
  private final Coverage coverage = new Coverage();
  private final TimedMedium medium;
  private final List<String> lines = new ArrayList<>();
  private final Network network;
  private final Timeline timeline;

  private Story(int size) {
    medium = new TimedMedium(size, (from, to) -> delays.getOrDefault(edge(from, to), 1L));
    network = new Network(size, medium, coverage);
    timeline = new Timeline(network, medium);
    network.observe(
        new Network.Observer() {
          @Override
          public void received(Packet packet) {
            if (packet.content() instanceof Packet.Protocol protocol) {
              tell(packet.from() + " -> " + packet.to() + " " + text(protocol.message()));
            } else if (packet.content() instanceof Packet.WeightUpdate update) {
              tell(packet.from() + " -> " + packet.to() + " WeightUpdate " + text(update.weight()));
            }
          }

          @Override
          public void lost(Packet packet) {
            if (packet.content() instanceof Packet.Protocol protocol) {
              tell(
                  packet.from()
                      + " -> "
                      + packet.to()
                      + " "
                      + text(protocol.message())
                      + ": lost with the session");
            }
          }

          @Override
          public void committed(int node, CommittedTree tree) {
            tell(node + " commits v" + tree.version() + " " + text(tree));
          }
        });
  }

  /** The script with everything that happens now. */
  static String replay(String text) {
    return play(text).told.toString();
  }

  /** How often the story reaches each rare branch. */
  static Coverage coverageOf(String text) {
    return play(text).coverage;
  }

  private static Story play(String text) {
    List<String> script = text.lines().filter(line -> !line.startsWith(">")).toList();
    int highest =
        script.stream()
            .filter(line -> line.startsWith("link"))
            .flatMapToInt(line -> line.substring(5, 8).chars().filter(Character::isDigit))
            .max()
            .orElseThrow();
    Story story = new Story(highest - '0' + 1);
    story.tellScript(script);
    story.network.startAll();
    story.timeline.run();
    new RestingState(story.network).verify();
    story.lines.forEach(line -> story.told.append("> ").append(line).append('\n'));
    return story;
  }

  private void tellScript(List<String> script) {
    String all = String.join("\n", script).strip();
    told.append(all).append("\n\n");
    for (String line : script) {
      if (line.startsWith("link")) {
        addLink(line);
      } else if (line.startsWith("at")) {
        addEvent(line);
      } else if (!line.isBlank() && !line.startsWith("#")) {
        throw new IllegalArgumentException("not understood: " + line);
      }
    }
  }

  private void addLink(String line) {
    Matcher link = match(LINK, line);
    int one = Integer.parseInt(link.group(1));
    int other = Integer.parseInt(link.group(2));
    long rtt = Long.parseLong(link.group(3)) * 1_000;
    String via = link.group(4);
    delays.put(edge(one, other), via == null ? rtt / 2 : micros(via));
    rtts.put(edge(one, other), rtt);
    if (!line.endsWith("from the event on")) {
      network.linkFromTheStart(one, other, rtt);
    }
  }

  private void addEvent(String line) {
    Matcher event = match(EVENT, line);
    int one = Integer.parseInt(event.group(3));
    int other = event.group(4) == null ? -1 : Integer.parseInt(event.group(4));
    String millis = event.group(5);
    Runnable action =
        switch (event.group(2)) {
          case "down" -> () -> network.linkDown(one, other);
          case "up" -> () -> network.linkUp(one, other, rttMicros(one, other, millis));
          case "weight" -> () -> network.reweigh(one, other, rttMicros(one, other, millis));
          case "crash" -> () -> network.crash(one);
          case "restart" -> () -> restart(one);
          default -> throw new IllegalArgumentException("no such event: " + line);
        };
    timeline.at(
        micros(event.group(1)),
        () -> {
          tell(line.replaceFirst("at \\S+ ", ""));
          action.run();
        });
  }

  private long rttMicros(int one, int other) {
    return rtts.getOrDefault(edge(one, other), 1_000L);
  }

  private long rttMicros(int one, int other, @Nullable String millis) {
    return millis == null ? rttMicros(one, other) : Long.parseLong(millis) * 1_000;
  }

  private void restart(int node) {
    network.restart(node);
    for (int peer = 0; peer < network.size(); peer++) {
      if (rtts.containsKey(edge(node, peer))) {
        network.linkUp(node, peer, rttMicros(node, peer));
      }
    }
  }

  private static Matcher match(Pattern pattern, String line) {
    Matcher matcher = pattern.matcher(line);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("not understood: " + line);
    }
    return matcher;
  }

  private static long micros(String millis) {
    return Math.round(Double.parseDouble(millis) * 1_000);
  }

  /** The key of a link; also for a node and itself, between which there is no link. */
  private static Pair edge(int one, int other) {
    return new Pair(Math.min(one, other), Math.max(one, other));
  }

  private record Pair(int low, int high) {}

  private void tell(String what) {
    lines.add(String.format(Locale.ROOT, "%6.1f  %s", medium.now() / 1_000.0, what));
  }

  private static String text(LinkWeight weight) {
    return weight.low() + "-" + weight.high() + "@" + weight.cost() / 1_000;
  }

  private static String text(CommittedTree tree) {
    return tree.edges().stream().map(Story::text).collect(Collectors.joining(" ", "[", "]"));
  }

  private static String text(TreeMessage message) {
    String type = message.type();
    if (message instanceof GhsMessage.Initiate initiate) {
      return type
          + " rank "
          + initiate.round().rank()
          + ", search "
          + initiate.round().number()
          + " among "
          + initiate.members();
    } else if (message instanceof GhsMessage.Report report) {
      GhsMessage.OutgoingEdge best = report.best();
      return type
          + (best == null ? " nothing leaves" : " best " + text(best.weight()))
          + " of "
          + report.echo().nodes()
          + (report.listWasWrong() ? ", a list was wrong" : "");
    } else if (message instanceof GhsMessage.Connect connect) {
      return type + " over " + text(connect.weight()) + ", rank " + connect.fragment().rank();
    } else if (message instanceof MstMessage.Commit commit) {
      return type
          + (commit.isOffer() ? " as an offer, v" : " v")
          + commit.view().tree().version()
          + " "
          + text(commit.view().tree());
    } else if (message instanceof MstMessage.Failure failure) {
      return type + " " + failure.edge();
    } else if (message instanceof MstMessage.CutOrder order) {
      return type + " to " + order.lowerEnd() + " for " + text(order.lighterLink());
    } else if (message instanceof MstMessage.Refuse refuse) {
      return type + " of " + refuse.lowerEnd() + ": it is " + text(refuse.present());
    } else if (message instanceof GhsMessage.Hello hello) {
      return type + " rank " + hello.fragment().rank();
    }
    return type;
  }
}
