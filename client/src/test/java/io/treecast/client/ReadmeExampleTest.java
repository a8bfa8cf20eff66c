package io.treecast.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ReadmeExampleTest {

  @Test
  @Timeout(60)
  void theExampleOfTheReadmeRuns() throws Exception {
    PrintStream console = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    try (ScriptedAgent agent = ScriptedAgent.running()) {
      agent.onBroadcast(
          (request, answer) -> {
            ScriptedAgent.accept(request, answer);
            agent.sendMessage(ScriptedAgent.NODE_ID, 7, request.getPayload().toStringUtf8());
          });
      System.setOut(new PrintStream(printed, true, UTF_8));
      ReadmeExample.main(new String[] {agent.address()});
    } finally {
      System.setOut(console);
    }

    assertThat(printed.toString(UTF_8).lines())
        .containsExactlyInAnyOrder("h1#7 hello", "sent h1/9f3a6c01d2e4b587/7 on tree version 5");
  }
}
