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
  void what_is_wrong_with_the_files_is_told_to_the_one_logger_of_the_client() {
    Logger logger = Logger.getLogger("io.treecast.client");
    @Nullable Level levelBefore = logger.getLevel();
    @Nullable Filter filterBefore = logger.getFilter();
    List<String> logged = new ArrayList<>();
    logger.setLevel(Level.ALL);
    logger.setFilter(record -> !logged.add(record.getLevel() + " " + record.getMessage()));
    try {
      ConnectionSecurity.warn("the certificate has expired");
    } finally {
      logger.setFilter(filterBefore);
      logger.setLevel(levelBefore);
    }

    assertThat(logged).containsExactly("WARNING tls: the certificate has expired");
  }
}
