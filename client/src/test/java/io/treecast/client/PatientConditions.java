package io.treecast.client;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Extends the timeout of conditions in each test to what a busy machine may need; JUnit finds this
 * class.
 */
public final class PatientConditions implements BeforeAllCallback {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  @Override
  public void beforeAll(ExtensionContext context) {
    Awaitility.setDefaultTimeout(PATIENCE);
  }
}
