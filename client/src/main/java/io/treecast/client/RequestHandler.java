package io.treecast.client;

/** Answers the requests of a service: see {@link Requests#serve}. */
@FunctionalInterface
public interface RequestHandler {
  /**
   * Answers a request. Called for one request at a time, on a thread of the server: a slow handler
   * delays later requests.
   *
   * @return the payload of the reply
   * @throws Exception if there is no answer: the requester receives the outcome {@code FAILED} with
   *     the text of the exception
   */
  byte[] answer(Request request) throws Exception;
}
