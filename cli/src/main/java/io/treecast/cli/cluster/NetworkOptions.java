package io.treecast.cli.cluster;

import io.treecast.agent.config.FileReason;
import io.treecast.cli.console.CommandFailure;
import io.treecast.testkit.network.MatrixFile;
import io.treecast.testkit.network.MatrixFile.NamedNetwork;
import io.treecast.testkit.network.MatrixFormatException;
import io.treecast.testkit.network.NodeSites;
import io.treecast.testkit.network.ReferenceNetwork;
import io.treecast.testkit.network.Topology;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for the network of a cluster, for the commands that start one. */
public final class NetworkOptions {
  @Option(
      names = "--matrix",
      paramLabel = "FILE",
      description =
          "Round-trip times in milliseconds between all pairs of nodes, one row per "
              + "line, optionally with a header row and a column of names; or reference, the "
              + "reference network of 24 nodes in six sites of four, reference-1ms, the same "
              + "with 1 ms inside sites, or five-nodes. Default: reference.")
  private @Nullable Path matrix;

  @Option(
      names = "--nodes",
      paramLabel = "N",
      description = "Only the first N nodes of the network.")
  private @Nullable Integer nodes;

  @Option(
      names = "--site-size",
      paramLabel = "N",
      description =
          "Nodes 0 to N-1 are site 0, and so on. Default: 4 for the reference network; "
              + "sites of other networks are detected from the round trips.")
  private @Nullable Integer siteSize;

  @Option(
      names = "--sites",
      paramLabel = "FILE",
      description = "The site of each node, one per line: the node and the name of its site.")
  private @Nullable Path sitesFile;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Seed of the random numbers; equal seeds give equal runs. Default: "
              + "${DEFAULT-VALUE}.")
  private long seed;

  public boolean hasMatrix() {
    return matrix != null;
  }

  /** Returns whether the number of nodes is limited. */
  public boolean hasNodes() {
    return nodes != null;
  }

  /**
   * Returns the sites of the nodes, from the options or derived from the network.
   *
   * @throws CommandFailure if the options do not fit
   */
  public NodeSites sites(NamedNetwork network) {
    Integer size = siteSize;
    Path file = sitesFile;
    if (size != null && file != null) {
      throw CommandFailure.usage("--sites and --site-size exclude each other");
    }
    if (file != null) {
      return SitesFile.read(file, network.names());
    }
    if (size != null) {
      if (size < 1) {
        throw CommandFailure.usage("--site-size: " + size + " is not allowed; the least is 1");
      }
      return NodeSites.ofSize(network.topology().nodes(), size);
    }
    return isReference()
        ? NodeSites.ofSize(network.topology().nodes(), ReferenceNetwork.SITE_SIZE)
        : NodeSites.found(network.topology());
  }

  private boolean isReference() {
    return matrix == null
        || matrix.toString().equals(ReferenceNetwork.NAME)
        || matrix.toString().equals(ReferenceNetwork.NAME_1_MS);
  }

  public long seed() {
    return seed;
  }

  /** Returns the network of the matrix, or the reference network. */
  public NamedNetwork network() {
    return network(null);
  }

  /**
   * Returns the network of the matrix; without one, that of the name.
   *
   * @param name one of {@link ReferenceNetwork#NAMES}; null for the reference network
   */
  public NamedNetwork network(@Nullable String name) {
    NamedNetwork whole = whole(name == null ? ReferenceNetwork.NAME : name);
    Topology cut = cut(whole.topology());
    return new NamedNetwork(cut, whole.names().subList(0, cut.nodes()));
  }

  /** Returns the description of the network, for people. */
  public String description() {
    String whole =
        matrix == null ? "the reference network" : "the network of " + matrix.getFileName();
    return nodes == null ? whole : "the first " + nodes + " nodes of " + whole;
  }

  /** Returns the network limited to the number of nodes in the options, if any. */
  public Topology cut(Topology whole) {
    Integer first = nodes;
    if (first == null) {
      return whole;
    }
    if (first < 1 || first > whole.nodes()) {
      throw CommandFailure.usage(
          "--nodes: %s is not allowed; the network has 1 to %s nodes to take"
              .formatted(first, whole.nodes()));
    }
    return whole.firstNodes(first);
  }

  private NamedNetwork whole(String otherwise) {
    Path file = matrix;
    String name = file == null ? otherwise : file.toString();
    if (file == null || ReferenceNetwork.NAMES.contains(name)) {
      return NamedNetwork.ofNumbers(ReferenceNetwork.named(name));
    }
    try {
      return MatrixFile.readNamed(file);
    } catch (MatrixFormatException e) {
      throw CommandFailure.usage("--matrix: " + e.getMessage());
    } catch (NoSuchFileException e) {
      throw CommandFailure.usage("--matrix: file not found: " + file);
    } catch (IOException e) {
      throw CommandFailure.usage("--matrix: " + file + " cannot be read: " + FileReason.of(e));
    }
  }
}
