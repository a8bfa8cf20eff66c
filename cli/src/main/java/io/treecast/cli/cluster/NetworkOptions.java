package io.treecast.cli.cluster;

import io.treecast.agent.config.FileReason;
import io.treecast.cli.console.CommandFailure;
import io.treecast.testkit.network.MatrixFile;
import io.treecast.testkit.network.MatrixFormatException;
import io.treecast.testkit.network.ReferenceNetwork;
import io.treecast.testkit.network.Topology;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The network that a cluster of agents runs on, for the commands that make one. */
public final class NetworkOptions {
  @Option(
      names = "--matrix",
      paramLabel = "FILE",
      description =
          "Round-trip times in milliseconds between all pairs of nodes, one row a line; or reference, the reference network of"
              + " 24 nodes in six sites of four, or reference-1ms, the same with 1 ms inside sites. Default: reference.")
  private @Nullable Path matrix;

  @Option(
      names = "--nodes",
      paramLabel = "N",
      description = "Only the first N nodes of the network.")
  private @Nullable Integer nodes;

  @Option(
      names = "--site-size",
      paramLabel = "N",
      defaultValue = "4",
      description = "Nodes 0 to N-1 are site 0, and so on; default: ${DEFAULT-VALUE}.")
  private int siteSize = ReferenceNetwork.SITE_SIZE;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Draws what is random; the same seed draws the same. Default: ${DEFAULT-VALUE}.")
  private long seed;

  public boolean hasMatrix() {
    return matrix != null;
  }

  /** Whether only some of the network's nodes are asked for. */
  public boolean hasNodes() {
    return nodes != null;
  }

  public int siteSize() {
    if (siteSize < 1) {
      throw CommandFailure.usage("--site-size: " + siteSize + " is not allowed; the least is 1");
    }
    return siteSize;
  }

  public long seed() {
    return seed;
  }

  /** The network of the matrix, or the reference network. */
  public Topology topology() {
    return topology(null);
  }

  /**
   * The network of the matrix; without one, that of the name.
   *
   * @param name one of {@link ReferenceNetwork#NAMES}; null for the reference network
   */
  public Topology topology(@Nullable String name) {
    return cut(whole(name == null ? ReferenceNetwork.NAME : name));
  }

  /** What the network is, for a person. */
  public String description() {
    String whole =
        matrix == null ? "the reference network" : "the network of " + matrix.getFileName();
    return nodes == null ? whole : "the first " + nodes + " nodes of " + whole;
  }

  /** The first nodes of a network, if so asked. */
  public Topology cut(Topology whole) {
    Integer first = nodes;
    if (first == null) {
      return whole;
    }
    if (first < 1 || first > whole.nodes()) {
      throw CommandFailure.usage(
          "--nodes: "
              + first
              + " is not allowed; the network has 1 to "
              + whole.nodes()
              + " nodes to take");
    }
    return whole.firstNodes(first);
  }

  private Topology whole(String otherwise) {
    Path file = matrix;
    String name = file == null ? otherwise : file.toString();
    if (file == null || ReferenceNetwork.NAMES.contains(name)) {
      return ReferenceNetwork.named(name);
    }
    try {
      return MatrixFile.read(file);
    } catch (MatrixFormatException e) {
      throw CommandFailure.usage("--matrix: " + e.getMessage());
    } catch (NoSuchFileException e) {
      throw CommandFailure.usage("--matrix: there is no file " + file);
    } catch (IOException e) {
      throw CommandFailure.usage("--matrix: " + file + " can not be read: " + FileReason.of(e));
    }
  }
}
