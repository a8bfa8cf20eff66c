package org.example.spring;

import io.treecast.client.BroadcastOptions;
import io.treecast.client.Message;
import io.treecast.client.Treecast;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** A service at each site: a notice that is posted at one of them is on the boards of all. */
@SpringBootApplication
@RestController
public class NoticeBoard {
  private final Treecast treecast;
  private final List<String> notices = new CopyOnWriteArrayList<>();

  NoticeBoard(Treecast treecast) {
    this.treecast = treecast;
  }

  public static void main(String[] args) {
    SpringApplication.run(NoticeBoard.class, args);
  }

  @PostMapping("/notices")
  CompletableFuture<String> post(@RequestBody String notice) {
    return treecast
        .broadcast(
            notice.getBytes(StandardCharsets.UTF_8),
            BroadcastOptions.defaults().withTopic("notices"))
        .thenApply(result -> result.messageId().toString());
  }

  @GetMapping("/notices")
  List<String> notices() {
    return notices;
  }

  @TreecastListener("notices")
  void received(Message message) {
    notices.add(message.origin() + ": " + message.text());
  }
}
