package io.treecast.ghs.paper;

import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

/** The shapes of networks that the sweep tries. Node ids are shuffled over every shape. */
enum TopologyFamily {
  /** A random tree and half as many links again. */
  SPARSE(300) {
    @Override
    void shape(Draft draft) {
      draft.randomTree(0, draft.size());
      draft.randomLinks(draft.size() / 2);
    }
  },
  /** A random tree and up to half of all links. */
  DENSE(60) {
    @Override
    void shape(Draft draft) {
      draft.randomTree(0, draft.size());
      draft.randomLinks(draft.size() * draft.size() / 4);
    }
  },
  COMPLETE(60) {
    @Override
    void shape(Draft draft) {
      for (int a = 0; a < draft.size(); a++) {
        for (int b = 0; b < a; b++) {
          draft.link(a, b);
        }
      }
    }
  },
  PATH(300) {
    @Override
    void shape(Draft draft) {
      for (int a = 1; a < draft.size(); a++) {
        draft.link(a - 1, a);
      }
    }
  },
  RING(300) {
    @Override
    void shape(Draft draft) {
      PATH.shape(draft);
      draft.link(0, draft.size() - 1);
    }
  },
  STAR(300) {
    @Override
    void shape(Draft draft) {
      for (int a = 1; a < draft.size(); a++) {
        draft.link(0, a);
      }
    }
  },
  GRID(300) {
    @Override
    void shape(Draft draft) {
      int width = (int) Math.ceil(Math.sqrt(draft.size()));
      for (int a = 1; a < draft.size(); a++) {
        if (a % width != 0) {
          draft.link(a - 1, a);
        }
        if (a >= width) {
          draft.link(a - width, a);
        }
      }
    }
  },
  /** Several components, some of them lone nodes. */
  DISCONNECTED(120) {
    @Override
    void shape(Draft draft) {
      int first = 0;
      while (first < draft.size()) {
        int last = first + draft.random().nextInt(draft.size() - first) + 1;
        draft.randomTree(first, last);
        for (int i = first + 3; i < last; i++) {
          draft.link(i, i - 2);
        }
        first = last;
      }
    }
  };

  private final int largest;

  TopologyFamily(int largest) {
    this.largest = largest;
  }

  abstract void shape(Draft draft);

  /** One of this family: mostly small, since small networks reach most interleavings. */
  Topology draw(Random random) {
    int dice = random.nextInt(100);
    int most = dice < 80 ? 12 : dice < 98 ? Math.min(50, largest) : largest;
    Draft draft = new Draft(1 + random.nextInt(most), random);
    shape(draft);
    return draft.finish();
  }

  /** A network under construction, over positions 0 to size-1. */
  static final class Draft {
    private final Random random;
    private final List<NodeId> nodes;
    private final LongSupplier weights;
    private final Map<List<Integer>, LinkWeight> links = new LinkedHashMap<>();

    Draft(int size, Random random) {
      this.random = random;
      List<NodeId> ids = new ArrayList<>();
      IntStream.range(0, size).forEach(i -> ids.add(NodeId.of("n" + i)));
      Collections.shuffle(ids, random);
      this.nodes = ids;
      int distinctWeights = List.of(1, 3, 1_000_000).get(random.nextInt(3));
      this.weights = () -> 1 + random.nextInt(distinctWeights);
    }

    int size() {
      return nodes.size();
    }

    Random random() {
      return random;
    }

    void link(int a, int b) {
      if (a != b) {
        links.computeIfAbsent(
            List.of(Math.min(a, b), Math.max(a, b)),
            ends -> LinkWeight.between(nodes.get(a), nodes.get(b), weights.getAsLong()));
      }
    }

    void randomTree(int first, int last) {
      for (int i = first + 1; i < last; i++) {
        link(i, first + random.nextInt(i - first));
      }
    }

    void randomLinks(int count) {
      for (int i = 0; i < count; i++) {
        link(random.nextInt(size()), random.nextInt(size()));
      }
    }

    Topology finish() {
      return new Topology(List.copyOf(nodes), List.copyOf(links.values()));
    }
  }
}
