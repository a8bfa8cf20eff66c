package io.treecast.testkit.cluster;

import io.treecast.testkit.cluster.DeliveryLog.Broadcast;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Verdict whether every broadcast was delivered exactly once to each subscriber that is owed it.
 *
 * <p>A broadcast is owed to the incarnations of its {@linkplain DeliveryLog.Broadcast#audience
 * audience} that still run and can reach an agent that has the broadcast. A broadcast that only its
 * crashed origin had is owed to no agent.
 *
 * @param published the number of broadcasts
 * @param delivered the number of first deliveries of all broadcasts
 * @param duplicated the number of repeated deliveries
 * @param lost a line for each missing delivery, with the subscriber and the broadcast
 */
public record BroadcastVerdict(long published, long delivered, long duplicated, List<String> lost) {

  /** Copies the list. */
  public BroadcastVerdict {
    lost = List.copyOf(lost);
  }

  /** Judges the deliveries up to now. */
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
              "node %s never received %s, published on tree version %s"
                  .formatted(life, broadcast.id(), broadcast.treeVersion()));
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
