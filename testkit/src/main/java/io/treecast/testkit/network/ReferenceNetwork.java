package io.treecast.testkit.network;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * The network of the published evaluation with which Treecast is compared: 24 nodes in six sites of
 * four, every pair linked, round trips of 0.2 ms inside a site and of 13.5 to 722.9 ms between
 * sites.
 */
public final class ReferenceNetwork {
  /** Nodes of a site; the site of a node is its number divided by this. */
  public static final int SITE_SIZE = 4;

  /** Origin of the evaluation's broadcasts. */
  public static final int SOURCE = 12;

  /** Control messages that the evaluated protocol needed to build the tree, on average. */
  public static final int PUBLISHED_BUILD_MESSAGES = 815;

  /** The name of the network on command lines and in schedules. */
  public static final String NAME = "reference";

  /**
   * The name of the same network with round trips of 1.00 ms inside sites. In the evaluation's
   * table they are close to zero; its text gives 1.00 ms for one of them.
   */
  public static final String NAME_1_MS = "reference-1ms";

  /** The name of a network of five nodes, whose tree is that of the publication's example. */
  public static final String NAME_FIVE = "five-nodes";

  private static final Map<String, String> RESOURCES =
      Map.of(
          NAME, "reference-24.csv", NAME_1_MS, "reference-24-1ms.csv", NAME_FIVE, "five-nodes.csv");

  /** The names of all networks. */
  public static final List<String> NAMES = List.of(NAME, NAME_1_MS, NAME_FIVE);

  private ReferenceNetwork() {}

  /** Reads the network {@link #NAME}. */
  public static Topology topology() {
    return named(NAME);
  }

  /**
   * Reads one of the networks.
   *
   * @param name one of {@link #NAMES}
   * @throws IllegalArgumentException for any other name
   */
  public static Topology named(String name) {
    return read(RESOURCES.getOrDefault(checkedName(name), ""));
  }

  /**
   * Returns the name if it is one of {@link #NAMES}.
   *
   * @throws IllegalArgumentException if it is not
   */
  public static String checkedName(String name) {
    if (!NAMES.contains(name)) {
      throw new IllegalArgumentException(
          "'" + name + "' is not a known network; allowed are " + String.join(", ", NAMES));
    }
    return name;
  }

  private static Topology read(String resource) {
    try (InputStream in = ReferenceNetwork.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new FileNotFoundException(resource + " is missing beside " + ReferenceNetwork.class);
      }
      return MatrixFile.read(resource, new InputStreamReader(in, StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
