package io.treecast.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.logging.Filter;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("it reads the log, which other tests turn off")
class ConnectionSecurityTest {
  @Test
  void problems_of_the_files_go_to_the_clients_only_logger() {
    Logger logger = Logger.getLogger("io.treecast.client");
    @Nullable Level levelBefore = logger.getLevel();
    @Nullable Filter filterBefore = logger.getFilter();
    List<String> logged = new ArrayList<>();
    logger.setLevel(Level.ALL);
    logger.setFilter(record -> !logged.add(record.getLevel() + " " + record.getMessage()));
    try {
      ConnectionSecurity.warn("expired");
    } finally {
      logger.setFilter(filterBefore);
      logger.setLevel(levelBefore);
    }

    assertThat(logged).containsExactly("WARNING tls: expired");
  }
}
