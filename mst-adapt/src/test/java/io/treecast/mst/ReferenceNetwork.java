package io.treecast.mst;

import io.treecast.mst.EventCosts.Cost;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.function.IntToLongFunction;

/**
 * The network of the published evaluation: 24 nodes in six sites of four, every pair linked, and
 * messages that take half the round-trip time. Counts the messages of each event.
 */
final class ReferenceNetwork {
  static final int SIZE = 24;
  private static final String MATRIX = "/reference-24.csv";

  private final long[][] rttMicros = read();
  private final TimedMedium medium = new TimedMedium(SIZE, (from, to) -> rttMicros[from][to] / 2);
  private final EventCosts costs = new EventCosts(SIZE, medium);
  private final Network network = costs.network();
  private final Timeline timeline = costs.timeline();

  /** The matrix of round-trip times. */
  static long[][] matrix() {
    return read();
  }

  Network network() {
    return network;
  }

  /** Sets another round-trip time than that of the matrix, before the build. */
  ReferenceNetwork with(int one, int other, double rttMillis) {
    setRtt(one, other, micros(rttMillis));
    return this;
  }

  /** Starts all nodes at once, with all links up. */
  Cost build() {
    return buildAt(node -> 0);
  }

  /** Starts the nodes at these times, each with all links up. */
  Cost buildAt(IntToLongFunction startMicros) {
    for (int one = 0; one < SIZE; one++) {
      for (int other = 0; other < one; other++) {
        network.linkFromTheStart(one, other, rttMicros[one][other]);
      }
    }
    return cost(
        () -> {
          for (int i = 0; i < SIZE; i++) {
            int node = i;
            timeline.at(startMicros.applyAsLong(node), () -> network.start(node));
          }
        });
  }

  Cost reweigh(int one, int other, double rttMillis) {
    return cost(
        () -> {
          setRtt(one, other, micros(rttMillis));
          network.reweigh(one, other, micros(rttMillis));
        });
  }

  Cost lose(int one, int other) {
    return cost(() -> network.linkDown(one, other));
  }

  Cost crash(int node) {
    return cost(() -> network.crash(node));
  }

  /** Restarts a node with all its links. */
  Cost restart(int node) {
    return cost(
        () -> {
          network.restart(node);
          for (int peer = 0; peer < SIZE; peer++) {
            if (peer != node) {
              network.linkUp(node, peer, rttMicros[node][peer]);
            }
          }
        });
  }

  /** Starts all nodes at once, and brings the links up one after the other. */
  Cost buildWith(LinksUp linksUp) {
    return cost(
        () -> {
          network.startAll();
          for (int one = 0; one < SIZE; one++) {
            for (int other = 0; other < one; other++) {
              linksUp.add(one, other);
            }
          }
          linksUp.schedule(timeline, medium.now(), this::linkUp);
        });
  }

  /** Restarts a node, and brings its links up one after the other. */
  Cost restartWith(int node, LinksUp linksUp) {
    return cost(
        () -> {
          network.restart(node);
          for (int peer = 0; peer < SIZE; peer++) {
            if (peer != node) {
              linksUp.add(node, peer);
            }
          }
          linksUp.schedule(timeline, medium.now(), this::linkUp);
        });
  }

  /** Takes all links between the two halves of the sites down. */
  Cost halve() {
    return cost(() -> forEachLinkBetweenHalves(network::linkDown));
  }

  /** Brings the links between the halves up one after the other. */
  Cost joinHalvesWith(LinksUp linksUp) {
    return cost(
        () -> {
          forEachLinkBetweenHalves(linksUp::add);
          linksUp.schedule(timeline, medium.now(), this::linkUp);
        });
  }

  private void linkUp(int one, int other, long dwellOfOne, long dwellOfOther) {
    network.linkUp(one, other, rttMicros[one][other], dwellOfOne, dwellOfOther);
  }

  private static void forEachLinkBetweenHalves(LinkAction action) {
    for (int one = 0; one < SIZE / 2; one++) {
      for (int other = SIZE / 2; other < SIZE; other++) {
        action.on(one, other);
      }
    }
  }

  Cost isolateSite(int site) {
    return cost(() -> forEachLinkOf(site, network::linkDown));
  }

  Cost healSite(int site) {
    return cost(
        () ->
            forEachLinkOf(site, (one, other) -> network.linkUp(one, other, rttMicros[one][other])));
  }

  private interface LinkAction {
    void on(int one, int other);
  }

  private static void forEachLinkOf(int site, LinkAction action) {
    for (int one = 4 * site; one < 4 * site + 4; one++) {
      for (int other = 0; other < SIZE; other++) {
        if (other / 4 != site) {
          action.on(one, other);
        }
      }
    }
  }

  private Cost cost(Runnable event) {
    return costs.of(event);
  }

  private void setRtt(int one, int other, long micros) {
    rttMicros[one][other] = micros;
    rttMicros[other][one] = micros;
  }

  private static long micros(double millis) {
    return Math.round(millis * 1_000);
  }

  private static long[][] read() {
    try (InputStream in =
            Objects.requireNonNull(ReferenceNetwork.class.getResourceAsStream(MATRIX), MATRIX);
        BufferedReader reader =
            new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      List<String> rows = reader.lines().toList();
      long[][] matrix = new long[SIZE][SIZE];
      for (int one = 0; one < SIZE; one++) {
        List<String> millis = List.of(rows.get(one).split(",", -1));
        for (int other = 0; other < SIZE; other++) {
          matrix[one][other] = micros(Double.parseDouble(millis.get(other)));
        }
      }
      return matrix;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
