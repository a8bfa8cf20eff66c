package io.treecast.client;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Lets each test wait for a condition for as long as a busy machine may need; JUnit finds it. */
public final class PatientConditions implements BeforeAllCallback {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  @Override
  public void beforeAll(ExtensionContext context) {
    Awaitility.setDefaultTimeout(PATIENCE);
  }
}
