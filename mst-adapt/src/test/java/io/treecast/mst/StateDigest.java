package io.treecast.mst;

import io.treecast.ghs.ConnectId;
import io.treecast.ghs.FragmentId;
import io.treecast.ghs.FragmentMap;
import io.treecast.ghs.History;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.MemberList;
import io.treecast.ghs.NodeId;
import io.treecast.ghs.Round;
import io.treecast.ghs.Subtree;
import io.treecast.mst.NodeCopy.PartField;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes states as numbers, such that two states are equal if they differ only in what can never
 * matter:
 *
 * <ul>
 *   <li>Of the names of fragments and Connects only equality matters. They are numbered in the
 *       order in which they occur in the state.
 *   <li>Of the numbers of a fragment's searches only equality and the successor matter. They count
 *       from the least that occurs.
 *   <li>Causes decide nothing and are left out.
 *   <li>Fields that will be overwritten before they are read are left out: see {@link Matters}.
 * </ul>
 */
final class StateDigest {
  private static final long FRAGMENT = 0x7ea1_0000_0000_0001L;
  private static final long CONNECT = 0x7ea1_0000_0000_0002L;
  private static final long ROUND = 0x7ea1_0000_0000_0003L;
  private static final long ABSENT = 0x7ea1_0000_0000_0004L;

  /** When a field can matter. */
  private enum Matters {
    /** Never: the field is constant, counts for new names, or is only for people. */
    NEVER,
    ALWAYS,
    /** Only during a search, whose beginning empties the field. */
    WHILE_IT_SEARCHES,
    /** Only at a root: a new root receives a new value. */
    AT_A_ROOT,
    /** Only if it is of this round. Otherwise it will only be overwritten. */
    IF_OF_THIS_ROUND,
    /** Only while the tree is committed: the next commit empties the field. */
    WHILE_COMMITTED
  }

  private static final Map<String, Matters> MATTERS =
      Map.ofEntries(
          Map.entry("AdaptiveTree.effects", Matters.NEVER),
          Map.entry("Fragment.self", Matters.NEVER),
          Map.entry("Fragment.incarnation", Matters.NEVER),
          Map.entry("Fragment.keeper", Matters.NEVER),
          Map.entry("AdaptiveTree.causes", Matters.NEVER),
          Map.entry("Fragment.fragmentsFounded", Matters.NEVER),
          Map.entry("Fragment.map", Matters.AT_A_ROOT),
          Map.entry("LinkTable.self", Matters.NEVER),
          Map.entry("Connecting.requests", Matters.NEVER),
          Map.entry("Search.echoes", Matters.WHILE_IT_SEARCHES),
          Map.entry("Search.offered", Matters.WHILE_IT_SEARCHES),
          Map.entry("Search.awaited", Matters.WHILE_IT_SEARCHES),
          Map.entry("Search.listWasWrong", Matters.WHILE_IT_SEARCHES),
          Map.entry("Search.history", Matters.WHILE_IT_SEARCHES),
          Map.entry("Search.lastWake", Matters.IF_OF_THIS_ROUND),
          Map.entry("Certification.learned", Matters.WHILE_COMMITTED),
          Map.entry("Certification.ordered", Matters.WHILE_COMMITTED),
          Map.entry("Certification.toldParentWeight", Matters.WHILE_COMMITTED));

  private final IdentityHashMap<PartField, Matters> matters = new IdentityHashMap<>();
  private final Map<FragmentId, Integer> fragments = new HashMap<>();
  private final List<FragmentId> fragmentsByNumber = new ArrayList<>();
  private final Map<ConnectId, Integer> connects = new HashMap<>();
  private final List<ConnectId> connectsByNumber = new ArrayList<>();
  private final Map<Class<?>, RecordComponent[]> components = new HashMap<>();

  private long[] out = new long[1024];
  private int size;
  private long low;
  private long high;
  private int[] names = new int[0];
  private int[] namesOfConnects = new int[0];
  private long[] leastRounds = new long[0];

  /** The first half of the last digest. */
  long low() {
    return low;
  }

  /** The second half of the last digest. */
  long high() {
    return high;
  }

  long[] tokensOf(AdaptiveTree node) {
    size = 0;
    writePart(node, node);
    return Arrays.copyOf(out, size);
  }

  long[] tokensOf(Packet.Content content) {
    size = 0;
    write(content);
    return Arrays.copyOf(out, size);
  }

  private void put(long token) {
    if (size == out.length) {
      out = Arrays.copyOf(out, 2 * size);
    }
    out[size++] = token;
  }

  private void writePart(AdaptiveTree node, Object part) {
    try {
      for (PartField each : NodeCopy.fieldsOf(part.getClass())) {
        Object value = each.field().get(part);
        if (isOfInterest(node, each, value)) {
          if (each.isPart()) {
            writePart(node, Objects.requireNonNull(value));
          } else {
            write(value);
          }
        }
      }
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  private boolean isOfInterest(AdaptiveTree node, PartField field, @Nullable Object value) {
    Matters when =
        matters.computeIfAbsent(field, f -> MATTERS.getOrDefault(f.name(), Matters.ALWAYS));
    return switch (when) {
      case NEVER -> false;
      case ALWAYS -> true;
      case WHILE_IT_SEARCHES -> node.phase() == NodePhase.SEARCHING;
      case AT_A_ROOT -> node.parent() == null;
      case IF_OF_THIS_ROUND -> isOf(node.ghs.round(), value);
      case WHILE_COMMITTED -> node.commitment.isCommitted();
    };
  }

  /** Whether the record has this round for its first component. */
  private boolean isOf(Round round, @Nullable Object value) {
    return value instanceof Record record
        && round.equals(component(componentsOf(record)[0], record));
  }

  private void write(@Nullable Object value) {
    if (value == null) {
      put(ABSENT);
    } else if (value instanceof Number number) {
      put(number.longValue());
    } else if (value instanceof Boolean flag) {
      put(flag ? 1 : 0);
    } else if (value instanceof NodeId node) {
      put(number(node));
    } else if (value instanceof LinkWeight weight) {
      put(weight.cost() << 16 | number(weight.low()) << 8 | number(weight.high()));
    } else if (value instanceof FragmentId fragment) {
      put(FRAGMENT);
      put(number(fragment));
    } else if (value instanceof ConnectId connect) {
      put(CONNECT);
      put(number(connect));
    } else if (value instanceof Round round) {
      put(ROUND);
      put(number(round.fragment()));
      put(round.number());
    } else if (value instanceof MemberList members) {
      put(mask(members));
    } else {
      writeCompound(value);
    }
  }

  private void writeCompound(Object value) {
    if (value instanceof FragmentMap map) {
      put(mask(map.members()));
      map.edges().stream().sorted().forEach(this::write);
      write(map.history());
    } else if (value instanceof History history) {
      put(ChangeHistory.of(history).version());
      write(ChangeHistory.of(history).common());
    } else if (value instanceof Subtree subtree) {
      put(number(subtree.node()));
      write(subtree.parentEdge());
      put(subtree.children().size());
      sorted(subtree.children()).forEach(this::write);
    } else if (value instanceof CommittedView view) {
      write(view.round());
      put(number(view.root()));
      write(view.tree().name());
      view.tree().edges().forEach(this::write);
      put(ABSENT);
    } else if (value instanceof Map<?, ?> map) {
      put(map.size());
      map.forEach(
          (key, item) -> {
            write(key);
            write(item);
          });
    } else if (value instanceof Set<?> set) {
      put(set.size());
      set.stream().sorted().forEach(this::write);
    } else if (value instanceof Collection<?> items) {
      put(items.size());
      sorted(items).forEach(this::write); // The only list is that of the echoes.
    } else if (value instanceof Record record) {
      writeRecord(record);
    } else {
      throw new IllegalStateException("no rule for " + value.getClass());
    }
  }

  private static List<Subtree> sorted(Collection<?> echoes) {
    return echoes.stream()
        .map(Subtree.class::cast)
        .sorted(Comparator.comparing(Subtree::node))
        .toList();
  }

  private void writeRecord(Record record) {
    put(record.getClass().getSimpleName().hashCode());
    for (RecordComponent component : componentsOf(record)) {
      write(component(component, record));
    }
  }

  private static @Nullable Object component(RecordComponent component, Record record) {
    try {
      return component.getAccessor().invoke(record);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private RecordComponent[] componentsOf(Record record) {
    return components.computeIfAbsent(record.getClass(), StateDigest::readComponents);
  }

  private static RecordComponent[] readComponents(Class<?> type) {
    RecordComponent[] all = type.getRecordComponents();
    for (RecordComponent component : all) {
      component.getAccessor().setAccessible(true);
    }
    return all;
  }

  private static long mask(Iterable<NodeId> members) {
    long mask = 0;
    for (NodeId member : members) {
      mask |= 1L << number(member);
    }
    return mask;
  }

  private static int number(NodeId node) {
    return node.toString().charAt(0) - '0';
  }

  private int number(FragmentId fragment) {
    return fragments.computeIfAbsent(
        fragment,
        id -> {
          fragmentsByNumber.add(id);
          return fragmentsByNumber.size() - 1;
        });
  }

  private int number(ConnectId connect) {
    return connects.computeIfAbsent(
        connect,
        id -> {
          connectsByNumber.add(id);
          return connectsByNumber.size() - 1;
        });
  }

  /** Digests a state that is written as several sequences, under canonical names. */
  void digest(List<long[]> sequences) {
    if (names.length < fragmentsByNumber.size()) {
      names = new int[2 * fragmentsByNumber.size()];
      leastRounds = new long[names.length];
    }
    if (namesOfConnects.length < connectsByNumber.size()) {
      namesOfConnects = new int[2 * connectsByNumber.size()];
    }
    nameAll(sequences);
    low = 0x9e37_79b9_7f4a_7c15L;
    high = 0xc2b2_ae3d_27d4_eb4fL;
    for (long[] tokens : sequences) {
      mix(tokens.length);
      for (int i = 0; i < tokens.length; i++) {
        long token = tokens[i];
        mix(token);
        if (token == FRAGMENT) {
          mixFragment((int) tokens[++i]);
        } else if (token == CONNECT) {
          int connect = (int) tokens[++i];
          mix(namesOfConnects[connect]);
          mix(number(connectsByNumber.get(connect).sender()));
        } else if (token == ROUND) {
          int fragment = (int) tokens[++i];
          mixFragment(fragment);
          mix(tokens[++i] - leastRounds[fragment]);
        }
      }
    }
    forget(sequences);
  }

  private void mixFragment(int fragment) {
    FragmentId id = fragmentsByNumber.get(fragment);
    mix(names[fragment]);
    mix(id.rank().epoch() << 32 | (long) id.rank().level() << 16 | number(id.founder()));
  }

  private void nameAll(List<long[]> sequences) {
    int fragmentsNamed = 0;
    int connectsNamed = 0;
    for (long[] tokens : sequences) {
      for (int i = 0; i < tokens.length; i++) {
        if (tokens[i] == FRAGMENT || tokens[i] == ROUND) {
          boolean isRound = tokens[i] == ROUND;
          int fragment = (int) tokens[++i];
          if (names[fragment] == 0) {
            names[fragment] = ++fragmentsNamed;
            leastRounds[fragment] = Long.MAX_VALUE;
          }
          if (isRound) {
            leastRounds[fragment] = Math.min(leastRounds[fragment], tokens[++i]);
          }
        } else if (tokens[i] == CONNECT) {
          int connect = (int) tokens[++i];
          if (namesOfConnects[connect] == 0) {
            namesOfConnects[connect] = ++connectsNamed;
          }
        }
      }
    }
  }

  private void forget(List<long[]> sequences) {
    for (long[] tokens : sequences) {
      for (int i = 0; i < tokens.length; i++) {
        if (tokens[i] == FRAGMENT) {
          names[(int) tokens[++i]] = 0;
        } else if (tokens[i] == ROUND) {
          names[(int) tokens[++i]] = 0;
          i++;
        } else if (tokens[i] == CONNECT) {
          namesOfConnects[(int) tokens[++i]] = 0;
        }
      }
    }
  }

  private void mix(long token) {
    low = (low ^ token) * 0xff51_afd7_ed55_8ccdL;
    low ^= low >>> 32;
    high = (high + token) * 0xc4ce_b9fe_1a85_ec53L;
    high ^= high >>> 29;
  }
}
