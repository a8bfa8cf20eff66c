package io.treecast.cli.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.InsecureServerCredentials;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.treecast.proto.v1.AdminServiceGrpc;
import io.treecast.proto.v1.GetStatusRequest;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class CommandChannelsTest {
  private static List<String> networkThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("network"))
        .toList();
  }

  @Test
  void channels_share_one_thread_that_ends_when_the_command_ends() throws Exception {
    CommandChannels channels = new CommandChannels();
    Server server =
        Grpc.newServerBuilderForPort(0, InsecureServerCredentials.create()).build().start();
    String address = "127.0.0.1:" + server.getPort();
    try {
      for (ManagedChannelBuilder<?> builder :
          List.of(
              channels
                  .newChannelBuilder(address, InsecureChannelCredentials.create())
                  .getChannelBuilder(),
              channels.builderForTarget(address).usePlaintext(),
              channels.builderForAddress("127.0.0.1", server.getPort()).usePlaintext())) {
        ManagedChannel channel = builder.build();
        AdminServiceGrpc.AdminServiceBlockingStub stub =
            AdminServiceGrpc.newBlockingStub(channel).withWaitForReady();

        assertThatThrownBy(() -> stub.getStatus(GetStatusRequest.getDefaultInstance()))
            .as("the answer of a server without services")
            .isInstanceOfSatisfying(
                StatusRuntimeException.class,
                e -> assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.UNIMPLEMENTED));
        channel.shutdownNow();
      }
      assertThat(networkThreads()).hasSize(1);
    } finally {
      CommandChannels.close();
      server.shutdownNow();
    }
    // The thread says that it has ended just before it has.
    await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(() -> assertThat(networkThreads()).isEmpty());
  }

  @Test
  void a_process_that_has_not_chosen_them_has_the_channels_of_grpc() {
    assertThat(new CommandChannels().isAvailable()).isFalse();
  }
}
