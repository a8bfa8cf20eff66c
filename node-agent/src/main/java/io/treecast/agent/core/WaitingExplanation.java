package io.treecast.agent.core;

import io.treecast.agent.core.contract.TreePhase;
import io.treecast.agent.core.link.Links;
import io.treecast.agent.core.message.Member;
import java.util.ArrayList;
import java.util.List;

/** Explains to people why an agent has no tree yet. */
final class WaitingExplanation {
  /** The number of names listed; further ones are only counted. */
  private static final int NAMES = 8;

  private WaitingExplanation() {}

  /** Returns the explanation: links open, members not reached or being measured, silent seeds. */
  static String of(TreePhase phase, Links links) {
    List<String> unlinked = new ArrayList<>();
    for (Member member : links.known().all()) {
      if (links.open(member.id()) == null && links.isWanted(member.id())) {
        unlinked.add(member.id() + " at " + member.address());
      }
    }
    List<String> unmeasured =
        links.open().stream().filter(l -> l.weight == null).map(l -> l.peer.toString()).toList();
    StringBuilder text = new StringBuilder("no tree yet: ");
    int linked = links.open().size();
    text.append(linked).append(linked == 1 ? " link is open" : " links are open");
    append(text, "; not reached: ", unlinked);
    append(text, "; being measured: ", unmeasured);
    append(text, "; no seed answers at ", linked == 0 ? links.silentSeeds() : List.of());
    if (phase == TreePhase.MERGING) {
      text.append("; the tree is being built");
    }
    if (!links.lastRefusal().isEmpty()) {
      text.append("; refused: ").append(links.lastRefusal());
    }
    return text.toString();
  }

  private static void append(StringBuilder text, String label, List<String> names) {
    if (!names.isEmpty()) {
      text.append(label).append(String.join(", ", names.subList(0, Math.min(NAMES, names.size()))));
      if (names.size() > NAMES) {
        text.append(" and ").append(names.size() - NAMES).append(" more");
      }
    }
  }
}
