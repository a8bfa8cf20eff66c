package io.treecast.testkit.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.treecast.testkit.network.NodeGroup;
import io.treecast.testkit.network.ReferenceNetwork;
import io.treecast.testkit.schedule.Schedule.Step;
import java.io.IOException;
import java.io.StringReader;
import java.math.BigDecimal;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScheduleFileTest {
  private static Schedule read(String... lines) throws IOException {
    return ScheduleFile.read("faults.txt", new StringReader(String.join("\n", lines)));
  }

  @Test
  void every_kind_of_event_is_understood() throws IOException {
    Schedule schedule =
        read(
            "# time event",
            "",
            "1500ms  rtt 4-6 6001.25   # slower",
            "20s  down 12-20",
            "25s  up 12-20",
            "30s  crash 7",
            "40s  restart 7",
            "41s  pause 8",
            "42s  resume 8",
            "50s  partition 0-11 | 12-20, 22 , 23",
            "1m   heal",
            "70s  join 24 like 3",
            "75s  leave 24",
            "76s  loss 1-2 20%",
            "77s  oneway 2-1",
            "77s  reset 1-2",
            "80s  broadcast 12 24B",
            "2m   broadcast 12 64KB");
    assertThat(schedule.steps())
        .extracting(Step::event)
        .containsExactly(
            new ScheduleEvent.Rtt(4, 6, new BigDecimal("6001.25")),
            new ScheduleEvent.Down(12, 20),
            new ScheduleEvent.Up(12, 20),
            new ScheduleEvent.Crash(7),
            new ScheduleEvent.Restart(7),
            new ScheduleEvent.Pause(8),
            new ScheduleEvent.Resume(8),
            new ScheduleEvent.Partition(
                List.of(
                    NodeGroup.range(0, 11),
                    NodeGroup.of(12, 13, 14, 15, 16, 17, 18, 19, 20, 22, 23))),
            new ScheduleEvent.Heal(),
            new ScheduleEvent.Join(24, 3),
            new ScheduleEvent.Leave(24),
            new ScheduleEvent.Loss(1, 2, BigDecimal.valueOf(20)),
            new ScheduleEvent.OneWay(2, 1),
            new ScheduleEvent.Reset(1, 2),
            new ScheduleEvent.Broadcast(12, 24, ""),
            new ScheduleEvent.Broadcast(12, 65_536, ""));
    assertThat(schedule.steps()).extracting(Step::atMillis).startsWith(1_500L, 20_000L);
    assertThat(schedule.steps())
        .last()
        .isEqualTo(new Step(120_000, new ScheduleEvent.Broadcast(12, 65_536, ""), 18));
  }

  @Test
  void the_text_of_a_schedule_is_a_file_of_that_schedule() throws IOException {
    Schedule schedule =
        read(
            "start network reference-1ms",
            "start threshold 12.5%",
            "start floor 0.25",
            "start error 0%",
            "start change-cost 100%",
            "start rtt 1-2 5",
            "0s rtt 4-6 0.001",
            "1500ms partition 0-3,7 | 5 | 8-9",
            "2s loss 1-2 12.5%",
            "3s join 24 like 0",
            "3s broadcast 0 3MB",
            "4s subscribe 0 prices/eu",
            "5s broadcast 1 24B prices/eu",
            "6s unsubscribe 0 prices/eu");
    assertThat(read(schedule.toString().split("\n"))).isEqualTo(schedule);
    assertThat(schedule.toString()).contains("1500ms  partition 0-3,7 | 5 | 8-9\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '>',
      quoteCharacter = '`',
      value = {
        "10 crash 7 > '10' > h",
        "start crash 7 > 'start' > rtt A-B MILLIS",
        "start threshold 1001% > threshold: 1001 > 1000%",
        "start threshold x > 'x' >",
        "start floor 5% > '5%' >",
        "start change-cost -1% > change-cost: -1 > 10000%",
        "start network mars > 'mars' > reference-1ms",
        "169h heal > '169h' >",
        "10s > > '10s'",
        "10s crush 7 > 'crush' > 'crash'?",
        "10s cut 4-6 > 'cut' > 'down'?",
        "10s obliterate 7 > 'obliterate' > rtt",
        "10s heal 4-6 > heal: '4-6' > up A-B",
        "10s crash > crash: '' > crash NODE",
        "10s broadcast 7 > broadcast: '7' > broadcast NODE SIZE [TOPIC]",
        "10s subscribe 7 > subscribe: '7' > subscribe NODE TOPIC",
        "10s crash 7 8 > crash: '7 8' > crash NODE",
        "10s crash seven > crash: 'seven' > 19999",
        "10s down 4 > down: '4' > 4-6",
        "10s down 4-4 > down: '4-4' >",
        "10s rtt 4-6 0 > rtt: '0' > 3600000",
        "10s rtt 4-6 3600001 > rtt: '3600001' >",
        "10s loss 4-6 20 > loss: '20' > 99%",
        "10s loss 4-6 99.5% > loss: '99.5%' >",
        "10s partition 0-11 > partition: > sides",
        "10s partition 0-11 | x > partition: 'x' >",
        "10s partition 5-2 | 1 > partition: > nodes",
        "10s join 24 as 3 > join: > 'as'",
        "10s broadcast 12 24 > broadcast: '24' > MB",
        "10s broadcast 12 2000MB > broadcast: '2000MB' >",
      })
  void an_error_names_file_line_fault_and_the_allowed_syntax(
      String line, @Nullable String fault, @Nullable String allowed) {
    assertThatExceptionOfType(ScheduleFormatException.class)
        .isThrownBy(() -> read("# first", line))
        .withMessageStartingWith("faults.txt, line 2: " + (fault == null ? "" : fault))
        .withMessageContaining(allowed == null ? "" : allowed);
  }

  @Test
  void times_do_not_go_back() {
    assertThatExceptionOfType(ScheduleFormatException.class)
        .isThrownBy(() -> read("10s heal", "9999ms heal"))
        .withMessageContainingAll("faults.txt, line 2: ", "9999ms", "10s");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "crash 24",
        "down 3-24",
        "join 23 like 3",
        "join 24 like 30",
        "restart 7",
        "resume 7",
        "partition 0-5 | 5-9",
        "broadcast 24 1B",
      })
  void an_event_that_does_not_fit_the_network_is_an_error_with_its_line(String event)
      throws IOException {
    Schedule schedule = read("10s heal", "11s " + event);
    assertThatExceptionOfType(ScheduleFormatException.class)
        .isThrownBy(() -> schedule.checkedFor(ReferenceNetwork.topology()))
        .withMessageContainingAll("faults.txt, line 2: ", event);
  }

  @Test
  void initial_conditions_apply_to_the_network_on_which_agents_start() throws IOException {
    Schedule schedule = read("start rtt 6-4 12.5", "1s heal");
    assertThat(schedule.startOn(ReferenceNetwork.topology()).rttMicros(4, 6)).isEqualTo(12_500);
    assertThatExceptionOfType(ScheduleFormatException.class)
        .isThrownBy(() -> schedule.startOn(ReferenceNetwork.topology().firstNodes(6)))
        .withMessageContainingAll("faults.txt, line 1: ", "'rtt 6-4 12.5'");
    assertThatExceptionOfType(ScheduleFormatException.class)
        .isThrownBy(() -> read("1s heal", "start rtt 6-4 12.5"))
        .withMessageContainingAll("faults.txt, line 2: ", "'start'");
  }

  @Test
  void an_event_that_fits_the_network_by_then_is_not_an_error() throws IOException {
    Schedule schedule =
        read(
            "1s crash 7",
            "2s broadcast 7 1B",
            "3s restart 7",
            "4s pause 7",
            "5s crash 7",
            "6s join 24 like 3",
            "7s down 24-3",
            "8s leave 24",
            "9s restart 24");
    assertThat(schedule.checkedFor(ReferenceNetwork.topology())).isSameAs(schedule);
  }

  @Test
  void a_file_that_is_not_there_is_named() {
    assertThatExceptionOfType(NoSuchFileException.class)
        .isThrownBy(() -> ScheduleFile.read(Path.of("no-such-schedule.txt")))
        .withMessageContaining("no-such-schedule.txt");
  }
}
