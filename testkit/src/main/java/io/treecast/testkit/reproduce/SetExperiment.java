package io.treecast.testkit.reproduce;

import io.treecast.testkit.reproduce.Result.DrawnTree;
import io.treecast.testkit.reproduce.Result.Row;
import io.treecast.testkit.schedule.Schedule;
import io.treecast.testkit.schedule.Thresholds;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An experiment that changes links between broadcasts.
 *
 * @param id the number in the publication
 * @param alsoCalled further numbers
 * @param title the subject
 * @param setUp the set-up
 * @param published the published outcome
 * @param cases the cases
 * @param differs the differences and their reasons
 */
record SetExperiment(
    String id,
    List<String> alsoCalled,
    String title,
    String setUp,
    String published,
    List<Case> cases,
    String differs)
    implements Experiment {

  /**
   * One run of a set.
   *
   * @param set the name of the set
   * @param broadcasts the number of broadcasts
   * @param thresholdPercent the threshold of significant changes; null for that of the set
   * @param figures the published figures
   */
  record Case(String set, int broadcasts, @Nullable Integer thresholdPercent, Figures figures) {
    String name() {
      return "set "
          + set
          + ", "
          + broadcasts
          + " broadcasts"
          + (thresholdPercent == null ? "" : ", threshold " + thresholdPercent + " %");
    }

    Schedule schedule() {
      Schedule schedule = Lab.set(set).withBroadcasts(broadcasts);
      return thresholdPercent == null
          ? schedule
          : schedule.with(new Thresholds(BigDecimal.valueOf(thresholdPercent), null, null, null));
    }
  }

  @Override
  public LiveRun live() {
    return LiveRun.of(cases.stream().mapToLong(one -> Lab.liveMillis(one.schedule())).sum());
  }

  @Override
  public Result run(Lab lab) {
    List<Row> rows = new ArrayList<>();
    List<DrawnTree> trees = List.of(); // The trees of the last case.
    for (Case one : cases) {
      List<SetRun> runs = lab.run(one.schedule(), null);
      rows.add(
          new Row(
              one.name(),
              one.figures(),
              Figures.mean(runs.stream().map(SetRun::figures).toList())));
      SetRun first = runs.get(0);
      trees =
          List.of(
              new DrawnTree(one.name() + ", before", AgentCosts.before(first.report())),
              new DrawnTree(one.name() + ", after", AgentCosts.after(first.report())));
    }
    return new Result(id, title, setUp, published, rows, trees, differs);
  }
}
