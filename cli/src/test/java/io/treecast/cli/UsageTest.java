package io.treecast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.agent.runtime.status.BuildVersion;
import io.treecast.cli.console.ExitCode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** Wrong command lines end with 2 and say what is allowed; help has an example everywhere. */
class UsageTest {
  private static final Set<Class<?>> NUMBERS =
      Set.of(int.class, Integer.class, long.class, Long.class, double.class, Double.class);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "tree | expected show, watch, verify, history or diff",
        "foo | 'foo' is not a command of 'treecast'",
        "dmeo | 'dmeo' is not a command of 'treecast'; did you mean 'demo'?",
        "tree shwo | 'shwo' is not a command of 'treecast tree'; did you mean 'show'?",
        "fault restart 7 | 'restart' is not a command of 'treecast fault'",
        "-h --agnet | '--agnet'",
        "links -h --agnet | '--agnet'",
        "tree show h1 --help | 'h1'",
        "links h1 | 'h1' is one argument too many",
        "links -h -x | Unknown option: '-x'",
        "links --agnt h1:7700 | Unknown option: '--agnt'",
        "links --agnt h1:7700 --sorted age | Unknown options: '--agnt', '--sorted'",
        "links --sort age | --sort: 'age' is not allowed; allowed are peer, weight, rtt, loss",
        "what-if | expected --down A-B or --crash NODE",
        "what-if --down h1 | 'h1' is not a link; expected A-B",
        "tree diff 1 | Missing required parameter: 'V2'; for example: treecast tree diff 4 7",
        "tree diff 1 x | 'x' is not allowed; allowed is a whole number",
        "tree history --latest 0 | --latest: '0' is not allowed; the least is 1",
        "status --color red | --color: 'red' is not allowed; allowed are auto, always, never",
        "simulate --live | --live runs a schedule: add --schedule FILE",
        "simulate --schedule /no/such/file | --schedule: file not found: " + "/no/such/file",
        "simulate --output xml | --output: 'xml' is not allowed; allowed are text, json, csv",
        "simulate --trace /no/such/dir | --trace: there is no directory /no/such/dir",
        "simulate --trace . --random 9,2 | it excludes --matrix, --nodes, --random, --schedule and"
            + " --live",
        "simulate --trace . --nodes 2 | it excludes --matrix, --nodes, --random, --schedule and"
            + " --live",
        "simulate --trace . --slice-seconds 5 | --slice-seconds: 5 is not allowed; allowed is 20 to"
            + " 3600",
        "simulate --trace . --unit us | --unit: 'us' is not allowed; allowed are s, ms",
        "simulate --trace . --slices 3 | --slices: '3' is not allowed; allowed is A-B as in 1-300",
        "simulate --trace . --slices 3-2 | --slices: '3-2' ends before it begins",
        "simulate --trace . --change-cost -1 | --change-cost: -1 is not allowed; allowed is 0 to"
            + " 10000",
        "simulate --slices 1-2 | Missing required argument(s): --trace=DIR",
        "simulate --broadcasts 4 | --broadcasts needs a schedule or a comparison: add --schedule"
            + " FILE or --compare",
        "simulate --threshold x | --threshold: 'x' is not a percentage; allowed is a number such as"
            + " 10%",
        "simulate --floor 5% | --floor: '5%' is not a number of milliseconds",
        "demo --floor 60001 | --floor: 60001 is not allowed; allowed is 0 to 60000 ms",
        "simulate --compare star | --compare: 'star' is not an algorithm; allowed are binomial,"
            + " two-level,",
        "simulate --send-millis 2 | --send-millis and --source need a comparison: add --compare",
        "simulate --compare two-level --send-millis -1 | --send-millis: -1.0 is not allowed;"
            + " allowed is 0 to",
        "simulate --compare two-level --source 99 | --source: the network has no node '99'",
        "simulate --sites /no/such/file --site-size 2 | --sites and --site-size exclude each other",
        "simulate --sites /no/such/file | --sites: /no/such/file cannot be read: there is no such"
            + " file",
        "simulate --messages /no/such/dir/m.txt | --messages: /no/such/dir/m.txt cannot be written",
        "simulate --trace . --messages m.txt | --messages is for runs in virtual time without a"
            + " trace",
        "reproduce 9.9 | no such experiment: '9.9'; there are chapter-2, table-4.2,",
        "reproduce 4.5 --all | --all and an experiment exclude each other",
        "reproduce --runs 0 | --runs: 0 runs; allowed are 1 to 100",
        "reproduce 4.5 --runs 0 | --runs: 0 runs; allowed are 1 to 100",
        "reproduce --live --all | --live runs one experiment: 4.14, 4.15, 4.17a, 4.17b,",
        "reproduce 4.9 --live | --live: 4.9 does not run live, since it would take about 31 minutes"
            + " on real agents",
        "reproduce 4.6 --live | --live: 4.5 does not run live, since it would take about",
        "reproduce table-4.2 --live | since it changes no link, so virtual time shows the whole"
            + " result;"
            + " 4.14, 4.15,",
        "reproduce 4.5 --drawings d | --drawings is for --output markdown",
        "tree show --output xml | --output: 'xml' is not allowed; allowed are text, json, dot",
        "links --output dot | --output: 'dot' is not allowed; allowed are text, json",
        "links --agent 127.0.0.1: | --agent: '127.0.0.1:' is not allowed; allowed is HOST:PORT",
        "links --agent my_agent:7700 | --agent: 'my_agent:7700' is not allowed; allowed is"
            + " HOST:PORT where the host is",
        "tree show --agent ünï:77 | --agent: 'ünï:77' is not allowed",
        "subscribe --agent my_agent | --agent: 'my_agent' is not allowed",
        "agent --id h1 --listen my_agent:7700 | --listen: 'my_agent:7700' is not allowed",
        "agent --id h1 --advertise a_b:1 | --advertise: 'a_b:1' is not allowed",
        "agent --id h1 --seeds a_b:1 | --seeds: 'a_b:1' is not allowed",
        "links --agent 127.0.0.1:0 | with a port of 1 to 65535",
        "links --agent ::1:7700 | in brackets, as in [::1]:7700",
        "links --tls /no/such/dir | --tls: file not found: /no/such/dir/tls.crt; for "
            + "TLS a directory has tls.crt, tls.key and ca.crt",
        "broadcast --text a --tls= | --tls: file not found: tls.crt",
        "why a1 | 'a1' is not a link; expected A-B, the node ids of its ends, as in " + "4-6",
        "series | Missing required parameter: 'A-B'; for example: treecast series h1-h2",
        "series a1 | 'a1' is not a link; expected A-B, the node ids of its ends, as " + "in 4-6",
        "links --agnet 127.0.0.1:1 | --agent",
        "tree show --site-size -1 | --site-size: '-1' is not allowed; allowed is 0",
        "tree watch --count 0 | --count: '0' is not allowed; the least is 1",
        "subscribe --from then | --from: allowed are now, retained and positions; as a position,"
            + " 'then' is not of the form ORIGIN/INCARNATION[~LANE]/[TOPIC/]SEQUENCE, such as"
            + " h1/9f3a6c01d2e4b587/4",
        "subscribe --from h1/9f3a/4 | the incarnation has 16 hexadecimal digits",
        "subscribe --from h1/9f3a6c01d2e4b587/0 | the sequence is 1 or more",
        "subscribe --from h1/9f3a6c01d2e4b587/4,h1/9f3a6c01d2e4b587/5 | two positions are in stream"
            + " h1/9f3a6c01d2e4b587; only one can be the last",
        "subscribe --when-slow drop | --when-slow: 'drop' is not allowed; allowed are"
            + " slow-publisher, catch-up, gap",
        "subscribe --count x | --count: 'x' is not allowed; allowed is a whole number",
        "series h1-h2 --resource x | --resource: 'x' is not allowed; allowed are rtt, ",
        "series h1-h2 --since 0s | --since: '0s' is not allowed; the least is 1ms",
        "tree show --site-size x | --site-size: 'x' is not allowed; allowed is a whole number",
        "broadcast | specify one of these",
        "broadcast --text a --file b | mutually exclusive",
        "broadcast --text a --wait 0 | --wait: '0' is not allowed; allowed is a whole number from 1"
            + " to 3600",
        "broadcast --text a --topic= | --topic: the name is empty; omit --topic for "
            + "the default topic",
        "broadcast --text a --topic a,b | --topic: 'a,b' is not allowed; expected "
            + "one name, without commas",
        "broadcast --text a --topic p --to h7 | --to, --where and --topic exclude each other",
        "broadcast --text a --where a --to h7 | --to, --where and --topic exclude each other",
        "broadcast --text a --to h/7 | --to: 'h/7' are not the ids of members",
        "broadcast --text a --where ,gpu | --where: ",
        "broadcast --text a --topic p --confirm | --confirm: members cannot be asked to confirm a"
            + " broadcast on topic 'p'",
        "broadcast --text a --topic p --trace | --trace: members cannot be asked to confirm a"
            + " broadcast on topic 'p'",
        "broadcast --text a --deadline 5 | --deadline needs --confirm or --trace",
        "agent --id h1 --listen 127.0.0.1:1 --ready-members 0 | --ready-members: '0' is not"
            + " allowed; allowed is a whole number from 1 to 10000",
        "agent --id h1 --listen 127.0.0.1:1 --ready-members x | --ready-members: 'x' is not"
            + " allowed; allowed is a whole number",
        "broadcast --text a --at-least 2 | --at-least needs --confirm or --trace",
        "broadcast --text a --confirm --at-least 0 | --at-least: at least 0 members are to confirm;"
            + " allowed are 1 to 10000",
        "broadcast --text a --confirm --at-least x | --at-least: 'x' is not allowed; allowed is a"
            + " whole number",
        "broadcast --text a --replicas -1 | --replicas: a broadcast cannot wait for -1 replicas;"
            + " allowed are 0 to 10000",
        "broadcast --text a --replicas 10001 | --replicas: a broadcast cannot wait for 10001"
            + " replicas; allowed are 0 to 10000",
        "broadcast --text a --replicas x | --replicas: 'x' is not allowed; allowed is a whole"
            + " number",
        "broadcast --text a --confirm --deadline 0 | --deadline: '0' is not allowed; allowed is a"
            + " whole number from 1 to 3600",
        "barrier | Missing required parameter: 'NAME'; for example: treecast barrier epoch-17",
        "barrier b --wait 86401 | --wait: '86401' is not allowed; allowed is a whole number from 1"
            + " to 86400 (seconds)",
        "barrier b --among a/b | --among: node id 'a/b' has '/' at position 2",
        "barrier b --among , | --among: 0 members are to take part",
        "barrier b --retry x | --retry: 'x' is not a retry token",
        "reduce r | expected --sum, --product, --min, --max or --mean with numbers, as in --sum 3",
        "reduce r --sum | --sum: expected numbers behind it, or --file with a vector",
        "reduce r --sum --file f | --file, --type and --out belong together; give all of them",
        "reduce r --sum 1 --file f --type int --out o | --sum: numbers and --file exclude each"
            + " other",
        "reduce r --sum --file /no/such --type int --out o | --file: file not found: /no/such",
        "reduce r --file f --type int --out o | expected --sum, --product, --min, --max or --mean"
            + " with numbers, as in --sum 3, or with --file",
        "reduce r --sum --file /proc --type int --out o | --file: /proc is a directory; name a"
            + " file",
        "reduce r --sum --file /dev/null --type int --out o | --file: /dev/null is empty; expected"
            + " at least one element",
        "reduce r --sum --file f --type byte --out o | --type: 'byte' is not allowed; allowed are"
            + " int, long, float, double",
        "reduce r --sum 1 --max 2 | mutually exclusive",
        "reduce --sum 1 r | Missing required parameter: 'NAME'; for example: treecast reduce"
            + " load-17 --sum 3",
        "reduce r --min 1 two | --min: 'two' is not allowed; allowed are numbers with spaces"
            + " between them, as in -5 0.25 1e-3",
        "reduce r --sum 1,2 | --sum: '1,2' is not allowed; allowed are numbers with spaces between"
            + " them",
        "reduce r --max 9223372036854775808 | --max: '9223372036854775808' does not fit in 64 bits;"
            + " use a decimal point to make all elements doubles",
        "reduce r --max 1e309 | --max: '1e309' does not fit in a double",
        "reduce r --sum 1 --to h3 --among h1,h2 | --to: 'h3' does not take part; add it to --among",
        "gather g text --file f | --file and TEXT exclude each other",
        "gather g --file /no/such/file | --file: file not found: /no/such/file",
        "gather g --file /proc | --file: /proc cannot be read",
        "gather g --file= | --file: the name of the file is empty",
        "gather g --to a/b | --to: node id 'a/b'",
        "scatter s | expected parts, as in h1=0-99 h2=100-199; or --from MEMBER to "
            + "receive one",
        "scatter s h1=a --from h2 | --from receives a part, so no part may be given, "
            + "such as 'h1=a'",
        "scatter s h1 | 'h1' is not a part; expected MEMBER=TEXT or MEMBER=@FILE",
        "scatter s h1=a h1=b | duplicate part for h1",
        "scatter s =a | '=a': node id '' has 0 characters",
        "scatter s h1=@/no/such/file | 'h1=@/no/such/file': file not found: " + "/no/such/file",
        "scatter s h1=@ | 'h1=@': the name of the file is empty",
        "scatter s h1=@- h2=@- | 'h2=@-': standard input is already the part of "
            + "another member",
        "scatter s h1=a h3=b --among h1,h2 | 'h3=b': 'h3' does not take part; add it to --among",
        "scatter s --from h3 --among h1 | --from: 'h3' does not take part; add it to --among",
        "demo --port 70000 | --port: 70000 is not allowed; allowed are 0 to 65512",
        "demo --port -1 | --port: -1 is not allowed",
        "demo --nodes 4 --port 65533 | --port: 65533 is not allowed; allowed are 0 to 65532",
        "demo --admin-port 65536 | --admin-port: 65536 is not allowed; allowed are 0 to 65535",
        "agent | missing: the node id (--id NAME, or id: NAME in the file), the address",
        "agent --id a/b | --id: 'a/b' is not allowed; allowed is 1 to 64 letters",
        "agent --listen 7700 | --listen: '7700' is not allowed; allowed is HOST:PORT",
        "agent --seeds a:1,b: | --seeds: 'b:' is not allowed; allowed is HOST:PORT",
        "agent --seeds a:0 | --seeds: 'a:0' is not allowed",
        "agent --admin 9400 | --admin: '9400' is not allowed; allowed is HOST:PORT",
        "agent --advertise x: | --advertise: 'x:' is not allowed; allowed is HOST:PORT",
        "agent --expect 3 | Unknown option",
        "agent --id a --listen 192.0.2.1:7700 | add --insecure",
        "agent --id a --listen 0.0.0.0:7700 --insecure | add --advertise",
        "fault | expected cut, oneway, rtt, loss, heal, crash, pause or status",
        "fault cut | Missing required parameter: 'A-B'",
        "fault rtt 4-6 quick | the round trip 'quick' is not allowed; allowed are milliseconds from"
            + " 0 to 600000",
        "fault rtt 4-6 600001 | the round trip '600001' is not allowed",
        "fault rtt 4-6 1e999999999 | the round trip '1e999999999' is not allowed",
        "fault loss 4-6 0.2 | the loss '0.2' is not allowed; allowed are 0% to 99%, as in 20%",
        "fault loss 4-6 % | the loss '%' is not allowed",
        "fault loss 4-6 100% | the loss '100%' is not allowed; allowed are 0% to 99%",
        "fault loss 4-6 some | the loss 'some' is not allowed",
        "fault pause 4 5 | the duration '5' is not allowed; allowed are 1ms to 10m, as in 5s",
        "fault pause 4 11m | the duration '11m' is not allowed",
        "bench --agents 1 | --agents: 1 is not allowed; allowed are 2 to 64",
        "bench --payload-bytes 1073741825 | --payload-bytes: 1073741825 is not allowed; allowed are"
            + " 1 to 1073741824",
        "bench --seconds 0 | --seconds: 0 is not allowed; allowed are 1 to 3600",
        "completion csh | 'csh' is not allowed; allowed are bash, zsh, fish",
        "config | expected check",
        "config check | Missing required parameter: 'FILE'; for example: treecast config check",
        "config check /no/such/file | file not found: /no/such/file",
        "config check f --given site | --given: 'site' is not allowed; allowed are id, listen",
        "may CN=a | Missing required",
        "may CN=a publish x | Missing required option: '--permissions=FILE'",
        "doctor --id h1 | missing: the address to listen on",
        "bench --shape ring | --shape: 'ring' is not allowed; allowed are ",
        "agent --config /no/such/file | file not found: /no/such/file"
      })
  void a_wrong_command_line_is_named_with_what_is_allowed(String command, String message) {
    CommandRun run = CommandRun.of(command.split(" "));
    assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).startsWith("treecast: ").contains(message).doesNotContain("\tat ");
    assertThat(run.out()).isEmpty();
  }

  /** Returns each command with each of its options that is a number. */
  private static List<Arguments> numbers() {
    List<Arguments> numbers = new ArrayList<>();
    collectNumbers(Main.commandLine(), "", numbers);
    return numbers;
  }

  private static void collectNumbers(CommandLine command, String path, List<Arguments> numbers) {
    for (CommandLine.Model.OptionSpec option : command.getCommandSpec().options()) {
      // Any number is a seed. Options of a group need another of it.
      if (NUMBERS.contains(option.type())
          && !option.longestName().equals("--seed")
          && option.group() == null) {
        numbers.add(Arguments.of(path, option.longestName()));
      }
    }
    command
        .getSubcommands()
        .forEach((name, sub) -> collectNumbers(sub, path + name + " ", numbers));
  }

  @ParameterizedTest
  @MethodSource("numbers")
  void a_number_out_of_range_is_a_wrong_usage_in_every_command(String command, String option) {
    String example =
        Arrays.stream(commandLine(command).getCommandSpec().usageMessage().footer())
            .map(String::strip)
            .filter(line -> line.startsWith("treecast " + command.strip()))
            .filter(line -> !line.contains("/etc/"))
            .findFirst()
            .orElseThrow();
    List<String> words =
        Pattern.compile("'[^']*'|\"[^\"]*\"|\\S+")
            .matcher(example)
            .results()
            .skip(1)
            .map(word -> word.group().replaceAll("['\"]", ""))
            .collect(Collectors.toCollection(ArrayList::new));
    words.addAll(command.strip().split(" ").length, List.of(option, "-1"));
    CommandRun run = CommandRun.of(words.toArray(String[]::new));
    assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).contains(option);
  }

  private static CommandLine commandLine(String path) {
    String[] names = path.strip().split(" ", -1);
    CommandLine command = Main.commandLine(names);
    for (String name : names) {
      command = Objects.requireNonNull(command.getSubcommands().get(name), path);
    }
    return command;
  }

  private static List<String> commands() {
    List<String> commands = new ArrayList<>();
    collect(Main.commandLine(), "", commands);
    return commands;
  }

  private static void collect(CommandLine command, String path, List<String> commands) {
    commands.add(path);
    command
        .getSubcommands()
        .forEach(
            (name, sub) -> {
              if (!name.equals("help")) {
                collect(sub, path + name + " ", commands);
              }
            });
  }

  @Test
  void a_call_reads_only_the_command_that_it_names() {
    Main.commandLine()
        .getSubcommands()
        .forEach(
            (name, command) -> {
              Class<?> type = command.getCommandSpec().userObject().getClass();
              assertThat(type.getAnnotation(CommandLine.Command.class).name()).isEqualTo(name);
              if (!List.of("help", "completion").contains(name)) {
                assertThat(Main.commandLine(name, "-h").getSubcommands()).containsOnlyKeys(name);
              }
            });
    for (String first : List.of("help", "completion", "--help", "stauts")) {
      assertThat(Main.commandLine(first).getSubcommands()).containsKeys("status", "version");
    }
  }

  @Test
  void there_are_the_commands_that_the_manual_names() {
    assertThat(commands())
        .containsExactlyInAnyOrder(
            "",
            "demo ",
            "agent ",
            "broadcast ",
            "subscribe ",
            "request ",
            "serve ",
            "claim ",
            "claim show ",
            "group ",
            "group list ",
            "group watch ",
            "group join ",
            "values ",
            "values list ",
            "values get ",
            "values put ",
            "values delete ",
            "values watch ",
            "best ",
            "best offer ",
            "best get ",
            "best watch ",
            "barrier ",
            "reduce ",
            "gather ",
            "scatter ",
            "tree ",
            "tree show ",
            "tree watch ",
            "tree verify ",
            "tree history ",
            "tree diff ",
            "status ",
            "config ",
            "config check ",
            "may ",
            "doctor ",
            "members ",
            "topics ",
            "what-if ",
            "links ",
            "series ",
            "why ",
            "simulate ",
            "reproduce ",
            "fault ",
            "fault cut ",
            "fault oneway ",
            "fault rtt ",
            "fault loss ",
            "fault heal ",
            "fault crash ",
            "fault pause ",
            "fault status ",
            "bench ",
            "completion ",
            "warm-up ",
            "version ");
  }

  @ParameterizedTest
  @MethodSource("commands")
  void the_help_ends_with_an_example(String command) {
    CommandRun run = CommandRun.of((command + "--help").split(" "));
    assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(run.out()).startsWith("Usage: treecast").containsOnlyOnce("Usage:");
    String end = run.out().substring(run.out().lastIndexOf("\nExample"));
    assertThat(end).contains("  treecast " + command.strip());
  }

  @ParameterizedTest
  @MethodSource("commands")
  void the_version_is_the_same_everywhere(String command) {
    CommandRun run = CommandRun.of((command + "--version").split(" "));
    assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(run.out()).isEqualTo("treecast " + BuildVersion.version() + "\n");
  }

  @Test
  void the_version_is_printed_as_json() {
    CommandRun run = CommandRun.of("version", "--output", "json");
    assertThat(run.json().get("version").asString()).isEqualTo(BuildVersion.version());
    assertThat(run.json().has("java")).isTrue();
  }
}
