package io.treecast.testkit.reproduce;

import io.treecast.testkit.compare.MinimumTree;
import io.treecast.testkit.compare.PaperBuild;
import io.treecast.testkit.network.ReferenceNetwork;
import io.treecast.testkit.network.Topology;
import io.treecast.testkit.reproduce.Result.DrawnTree;
import io.treecast.testkit.reproduce.Result.Row;
import io.treecast.testkit.schedule.Schedule;
import java.util.List;

/** The worked example of chapter 2. Stateless. */
record FiveNodes(String id, String title) implements Experiment {
  @Override
  public Result run(Lab lab) {
    Schedule nothing = new Schedule("nothing", List.of());
    List<SetRun> runs = lab.run(nothing, ReferenceNetwork.NAME_FIVE);
    Topology network = runs.get(0).networks().get(0);
    return new Result(
        id,
        title,
        "Five nodes, every pair linked. The round trips are those of Treecast's network five-nodes,"
            + " since the published ones are unknown; the tree is the same.",
        "The tree has the edges 2-3, 0-1, 1-3 and 3-4.",
        List.of(
            new Row(
                "automaton of 1983", Figures.NONE, StaticTables.figures(PaperBuild.of(network))),
            new Row(
                "Treecast",
                Figures.NONE,
                Figures.mean(
                    runs.stream()
                        .map(run -> StaticTables.figures(AgentCosts.build(run.report())))
                        .toList()))),
        List.of(
            new DrawnTree("published", MinimumTree.of(network)),
            new DrawnTree("Treecast", AgentCosts.after(runs.get(0).report()))),
        "The tree is the published one. 'treecast simulate --matrix five-nodes --messages "
            + "story.txt' writes all messages of its construction.");
  }
}
