package io.treecast.testkit.cluster;

import io.treecast.testkit.cluster.DeliveryLog.Broadcast;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Whether every broadcast was delivered once to everybody who was to get it.
 *
 * <p>Owed a broadcast: its {@linkplain DeliveryLog.Broadcast#audience audience}, each in the life
 * that it had then, if that life lasts and can reach somebody now who has the broadcast. So nobody
 * is owed what its origin took with it when it crashed before anybody who lives had heard of it.
 *
 * @param published how many broadcasts
 * @param delivered to how many lives, all broadcasts together
 * @param duplicated how many deliveries were repetitions
 * @param lost who is owed which broadcast, for a person
 */
public record BroadcastVerdict(long published, long delivered, long duplicated, List<String> lost) {

  /** Copies the list. */
  public BroadcastVerdict {
    lost = List.copyOf(lost);
  }

  /** Judges what has been delivered by now. */
  public static BroadcastVerdict of(Cluster cluster) {
    Set<Life> living = new HashSet<>(cluster.running().values());
    cluster.paused().forEach(node -> living.removeIf(life -> life.node() == node));
    Set<Integer> nodes = new TreeSet<>();
    living.forEach(life -> nodes.add(life.node()));
    List<Set<Integer>> components = cluster.network().components(nodes);
    long delivered = 0;
    long duplicated = 0;
    List<String> lost = new ArrayList<>();
    List<Broadcast> broadcasts = cluster.deliveries().broadcasts();
    for (Broadcast broadcast : broadcasts) {
      delivered += broadcast.deliveredNanos().size();
      duplicated += broadcast.duplicates();
      Set<Life> holders = new TreeSet<>(broadcast.deliveredNanos().keySet());
      holders.add(broadcast.origin());
      holders.retainAll(living);
      for (Life life : broadcast.audience()) {
        if (living.contains(life)
            && !broadcast.deliveredNanos().containsKey(life)
            && canReach(life, holders, components)) {
          lost.add(
              "node "
                  + life
                  + " never got "
                  + broadcast.id()
                  + ", published on tree version "
                  + broadcast.treeVersion());
        }
      }
    }
    return new BroadcastVerdict(broadcasts.size(), delivered, duplicated, lost);
  }

  private static boolean canReach(Life life, Set<Life> holders, List<Set<Integer>> components) {
    return components.stream()
        .filter(component -> component.contains(life.node()))
        .anyMatch(
            component -> holders.stream().anyMatch(holder -> component.contains(holder.node())));
  }

  /** Returns whether nothing was lost or repeated. */
  public boolean everyBroadcastDeliveredOnce() {
    return lost.isEmpty() && duplicated == 0;
  }
}
