package io.treecast.testkit.network;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * The network of the published evaluation that Treecast compares itself with: 24 nodes in six sites
 * of four, every pair linked, round trips of 0.2 ms inside a site and of 13.5 to 722.9 ms between
 * sites.
 */
public final class ReferenceNetwork {
  /** Nodes of a site; the site of a node is its number divided by this. */
  public static final int SITE_SIZE = 4;

  /** Where the evaluation's broadcasts come from. */
  public static final int SOURCE = 12;

  /** Control messages that the evaluated protocol needed to build the tree, on average. */
  public static final int PUBLISHED_BUILD_MESSAGES = 815;

  private static final String RESOURCE = "reference-24.csv";

  private ReferenceNetwork() {}

  /** Reads it. */
  public static Topology topology() {
    try (InputStream in = ReferenceNetwork.class.getResourceAsStream(RESOURCE)) {
      if (in == null) {
        throw new FileNotFoundException(RESOURCE + " is missing beside " + ReferenceNetwork.class);
      }
      return MatrixFile.read(RESOURCE, new InputStreamReader(in, StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
