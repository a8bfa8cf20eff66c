package io.treecast.it.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.FileDescriptor;
import io.treecast.proto.v1.BroadcastRequest;
import io.treecast.proto.v1.GetStatusRequest;
import io.treecast.proto.v1.Hello;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** A client in any language needs a few small files, and no file of the protocol between agents. */
class ClientProtocolTest {
  private static Set<String> filesOf(FileDescriptor file) {
    Set<String> files = new TreeSet<>(List.of(file.getName()));
    file.getDependencies().stream()
        .map(ClientProtocolTest::filesOf)
        .flatMap(Collection::stream)
        .forEach(files::add);
    return files;
  }

  @Test
  void clients_need_four_files() {
    assertThat(filesOf(BroadcastRequest.getDescriptor().getFile()))
        .containsExactly(
            "treecast/v1/client.proto",
            "treecast/v1/collective.proto",
            "treecast/v1/message.proto",
            "treecast/v1/tree.proto");
  }

  @Test
  void operators_tools_need_the_protocol_between_agents_no_more_than_clients() {
    assertThat(filesOf(GetStatusRequest.getDescriptor().getFile()))
        .contains("treecast/v1/admin.proto")
        .doesNotContain("treecast/v1/peer.proto", "treecast/v1/data.proto");
    assertThat(filesOf(Hello.getDescriptor().getFile()))
        .contains("treecast/v1/peer.proto", "treecast/v1/data.proto");
  }
}
