package io.treecast.agent.runtime.loop;

import io.treecast.agent.core.contract.Notice;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes notices to the log. */
public final class NoticeLog implements Consumer<Notice> {
  private static final Logger log = LoggerFactory.getLogger("io.treecast.agent");

  @Override
  public void accept(Notice notice) {
    switch (notice.severity()) {
      case DETAIL -> log.debug(notice.text());
      case INFO -> log.info(notice.text());
      case WARNING -> log.warn(notice.text());
      case FATAL -> log.error(notice.text());
    }
  }
}
