package io.treecast.client;

import java.util.Objects;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/**
 * The messages of subscriptions as a {@link Flow} publisher. Each subscriber has a subscription of
 * its own, whose thread waits while there is no demand, so the client takes no more from the agent.
 */
final class MessagePublisher implements Flow.Publisher<Message> {
  private final Treecast treecast;
  private final SubscribeOptions options;

  MessagePublisher(Treecast treecast, SubscribeOptions options) {
    this.treecast = treecast;
    this.options = Objects.requireNonNull(options, "options");
  }

  @Override
  public void subscribe(Flow.Subscriber<? super Message> subscriber) {
    Demand demand = new Demand(Objects.requireNonNull(subscriber, "subscriber"));
    ReconnectingStream<?, ?> stream;
    try {
      stream = treecast.subscribe(options, demand, null);
    } catch (TreecastException closed) {
      demand.begin(null);
      subscriber.onError(closed);
      return;
    }
    stream.onClose(demand::end);
    demand.begin(stream);
    // Only now, because the stream may have failed already, and onSubscribe is the first signal.
    var unused = stream.ownDone().whenComplete((nothing, failure) -> demand.complete(failure));
  }

  /** Delivers messages to one subscriber as it requests them. The state is guarded by this. */
  private static final class Demand implements MessageHandler, Flow.Subscription {
    private final Flow.Subscriber<? super Message> subscriber;
    private @Nullable Subscription stream;
    private long wanted;
    private boolean begun;
    private boolean ended;
    private boolean cancelled;
    private @Nullable IllegalArgumentException violation;

    Demand(Flow.Subscriber<? super Message> subscriber) {
      this.subscriber = subscriber;
    }

    void begin(@Nullable Subscription of) {
      synchronized (this) {
        stream = of;
      }
      subscriber.onSubscribe(this);
      synchronized (this) {
        begun = true;
        notifyAll();
      }
    }

    @Override
    public void onMessage(Message message) {
      if (isWanted()) {
        subscriber.onNext(message);
      }
    }

    /** Waits for demand; returns false if there will be none. */
    private synchronized boolean isWanted() {
      boolean wasInterrupted = false;
      while (!ended && (!begun || wanted == 0)) {
        try {
          wait();
        } catch (InterruptedException e) {
          wasInterrupted = true; // The thread belongs to the client: only close() ends the wait.
        }
      }
      if (wasInterrupted) {
        Thread.currentThread().interrupt();
      }
      if (ended) {
        return false;
      }
      if (wanted != Long.MAX_VALUE) {
        wanted--;
      }
      return true;
    }

    @Override
    public void request(long count) {
      Subscription refused;
      synchronized (this) {
        if (count > 0) {
          wanted = wanted + count < 0 ? Long.MAX_VALUE : wanted + count;
          notifyAll();
          return;
        }
        violation = new IllegalArgumentException(count + " messages are requested; the least is 1");
        refused = stream;
      }
      if (refused != null) {
        refused.close();
      }
    }

    @Override
    public void cancel() {
      Subscription unwanted;
      synchronized (this) {
        cancelled = true;
        unwanted = stream;
      }
      end();
      if (unwanted != null) {
        unwanted.close();
      }
    }

    synchronized void end() {
      ended = true;
      notifyAll();
    }

    /** Signals the end of the stream; no other signal is under way. */
    void complete(@Nullable Throwable failure) {
      IllegalArgumentException wrong;
      synchronized (this) {
        if (cancelled) {
          return;
        }
        wrong = violation;
      }
      Throwable why = wrong == null ? failure : wrong;
      if (why == null) {
        subscriber.onComplete();
      } else {
        subscriber.onError(why);
      }
    }
  }
}
