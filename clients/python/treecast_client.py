"""A small Treecast client. docs/other-languages.md explains the rules that it follows.

Needs grpcio and the modules that protoc generates from the four files of clients:
protoc -I proto/src/main/proto --python_out=. treecast/v1/{client,collective,message,tree}.proto
"""

import logging
import queue
import struct
import threading
import time
import uuid

import grpc
from google.protobuf.message import DecodeError
from treecast.v1 import client_pb2 as client
from treecast.v1 import collective_pb2 as collective
from treecast.v1 import message_pb2 as message

PIECE_BYTES = 64 * 1024
FIRST_PAUSE_SECONDS = 0.1
LONGEST_PAUSE_SECONDS = 5.0

# Reasons of refusals that another attempt cannot change, and of requests that the agent certainly has not accepted.
PERMANENT = (
    client.REFUSAL_REASON_INVALID_REQUEST,
    client.REFUSAL_REASON_TOO_MANY_TOPICS,
    client.REFUSAL_REASON_PERMISSION_DENIED,
)
UNAVAILABLE = (client.REFUSAL_REASON_NO_TREE, client.REFUSAL_REASON_SHUTTING_DOWN)
NOT_ACCEPTED = (
    *PERMANENT,
    *UNAVAILABLE,
    client.REFUSAL_REASON_PAYLOAD_TOO_LARGE,
    client.REFUSAL_REASON_NO_ROOM,
)


def reason_of(error):
    """Returns the agent's reason; REFUSAL_REASON_UNSPECIFIED if it is unknown or the agent stated none."""
    name = dict(error.trailing_metadata() or ()).get("treecast-refusal-reason")
    return client.RefusalReason.Value(name) if name in client.RefusalReason.keys() else 0


def is_unavailable(error):
    """Returns whether another attempt may succeed. Without a reason of the agent, gRPC's code decides."""
    reason = reason_of(error)
    if reason == client.REFUSAL_REASON_UNSPECIFIED:
        return error.code() == grpc.StatusCode.UNAVAILABLE
    return reason in UNAVAILABLE


class TreecastError(Exception):
    """A call failed. may_have_happened says whether the request may have taken effect all the same.

    reason is the agent's, a client.RefusalReason; code is gRPC's.
    """

    def __init__(self, text, code=None, may_have_happened=True, reason=client.REFUSAL_REASON_UNSPECIFIED):
        super().__init__(text)
        self.code = code
        self.reason = reason
        self.may_have_happened = may_have_happened

    @staticmethod
    def closed():
        """The failure of a call after close()."""
        return TreecastError("the client is closed", grpc.StatusCode.CANCELLED, False)

    @staticmethod
    def of(error, lost=False):
        """The failure of a call of gRPC; lost says whether an attempt may have taken effect without an answer."""
        reason = reason_of(error)
        return TreecastError(error.details(), error.code(), lost or reason not in NOT_ACCEPTED, reason)


def stream_of(message_id):
    """The stream that a message belongs to; its messages arrive in the order of their sequence."""
    return (message_id.origin, message_id.incarnation, message_id.lane, message_id.topic)


def _millis(seconds):
    return int(seconds * 1000)


class Treecast:
    """A connection to one agent. Safe for use by several threads."""

    def __init__(self, agent, credentials=None):
        """Connects to HOST:PORT; returns at once. Credentials are grpc.ssl_channel_credentials(...) for TLS."""
        options = [("grpc.max_receive_message_length", 16 * 1024 * 1024)]
        self._channel = (
            grpc.secure_channel(agent, credentials, options)
            if credentials
            else grpc.insecure_channel(agent, options)
        )
        self._broadcast = self._unary(self._channel.unary_unary, "Broadcast")
        self._confirm = self._unary(self._channel.unary_unary, "AwaitConfirmation")
        self._upload = self._unary(self._channel.stream_unary, "Upload")
        self._subscribe = self._unary(self._channel.unary_stream, "Subscribe")
        self._take_part = self._unary(self._channel.unary_unary, "TakePart")
        self._reply_topic = "reply/" + str(uuid.uuid4())
        self._lock = threading.Lock()
        self._replies = None
        self._pending = {}

    @staticmethod
    def _unary(kind, method):
        request = getattr(client, method + "Request")
        response = getattr(client, method + "Response")
        return kind(
            "/treecast.v1.TreecastService/" + method,
            request_serializer=request.SerializeToString,
            response_deserializer=response.FromString,
        )

    def broadcast(self, payload, topic="", wait=30.0, replicas=0, confirm=0.0):
        """Broadcasts bytes to all subscribers of a topic; returns when the agent has accepted them.

        Sends the request again, under the same token, when the connection is lost: it is broadcast once.
        """
        request = client.BroadcastRequest(
            payload=payload,
            topic=topic,
            wait_millis=_millis(wait),
            replicas=replicas,
            confirm_millis=_millis(confirm),
            retry_token=str(uuid.uuid4()),
        )

        def attempt(first):
            if first is not None:
                request.token_age_millis = _millis(time.monotonic() - first) + 1
            return request

        return self._retried(self._broadcast, wait, attempt)

    def confirmation(self, message_id):
        """The members that delivered a broadcast which was sent with `confirm`."""
        try:
            return self._confirm(client.AwaitConfirmationRequest(message_id=message_id))
        except grpc.RpcError as error:
            raise TreecastError.of(error) from error

    def upload(self, source, topic="", wait=30.0):
        """Broadcasts the bytes of an iterable of bytes, of any size in all.

        An exception of the iterable ends the upload, and is raised here; subscribers drop their part.
        """
        failures = []

        def steps():
            begin = client.BroadcastRequest(topic=topic, wait_millis=_millis(wait))
            yield client.UploadRequest(begin=begin)
            try:
                for data in source:
                    for start in range(0, len(data), PIECE_BYTES):
                        yield client.UploadRequest(piece=bytes(data[start : start + PIECE_BYTES]))
            except Exception as error:  # gRPC would report another one.
                failures.append(error)
                return  # Without an end the agent abandons the broadcast.
            yield client.UploadRequest(end=client.UploadEnd())

        try:
            return self._upload(steps()).broadcast
        except grpc.RpcError as error:
            if failures:
                raise failures[0] from None
            raise TreecastError.of(error) from error

    def subscribe(
        self,
        on_message,
        topics=("",),
        retained=False,
        positions=None,
        on_missed=lambda missed: None,
        on_failed=lambda error: None,
    ):
        """Subscribes; see Subscription. Positions are those of an earlier subscription, to go on after them.

        on_failed(error) is called if the agent refuses the subscription for good, also after it was in place, or if a
        handler raises an exception, which ends the subscription.
        """
        handler = lambda message_id, payload, published: on_message(message_id, payload)
        return Subscription(self._subscribe, handler, topics, retained, positions, on_missed, on_failed)

    def _subscribe_to_requests(self, on_message, *topics):
        ignore = lambda event: None
        return Subscription(
            self._subscribe, on_message, topics, False, None, ignore, ignore, client.WHEN_SLOW_CATCH_UP
        )

    def request(self, member, service, payload, timeout=5.0):
        """Sends a request to the server of a name at one member, and returns its answer, as bytes.

        Raises a TreecastError if the server fails or does not answer in time. docs/requests.md has the rules.
        """
        deadline = time.monotonic() + timeout
        with self._lock:
            if self._replies is None or self._replies._failure:  # It was refused before.
                self._replies = self._subscribe_to_requests(self._replied, self._reply_topic, "reply")
        self._replies.wait_until_ready(timeout)
        request = message.RequestPayload(
            id=f"{self._reply_topic}-{uuid.uuid4()}",
            reply_topic=self._reply_topic,
            timeout_millis=_millis(timeout),
            receivers=[member],
            payload=payload,
        )
        answers = self._pending[request.id] = queue.SimpleQueue()
        try:
            left = max(0.0, deadline - time.monotonic())
            self.broadcast(request.SerializeToString(), "request/" + service, left)
            origin, reply = answers.get(timeout=max(0.0, deadline - time.monotonic()))
        except queue.Empty:
            why = f"{member} has not answered a request of '{service}' in {timeout} s"
            raise TreecastError(why, grpc.StatusCode.DEADLINE_EXCEEDED) from None
        finally:
            del self._pending[request.id]
        if reply.WhichOneof("outcome") == "error":
            raise TreecastError(f"'{service}' at {origin} failed: {reply.error}")
        return reply.payload

    def _replied(self, message_id, payload, published):
        try:
            reply = message.ReplyPayload.FromString(payload)
        except DecodeError:  # Another program uses the topic.
            return
        answers = self._pending.get(reply.id)
        if answers is not None:
            answers.put((message_id.origin, reply))

    def serve(self, service, handler, wait=30.0):
        """Answers requests to this member with handler(origin, payload), which returns bytes; see Server."""
        return Server(self, service, handler, wait)

    def sum(self, name, elements, participants=(), wait=30.0):
        """Sums vectors of numbers of all members; participants names those that must take part."""
        elements = list(elements)
        value = collective.CollectiveValue(
            vector=collective.Vector(
                type=collective.ELEMENT_TYPE_DOUBLE, elements=struct.pack(f"<{len(elements)}d", *elements)
            )
        )
        operation = collective.CollectiveOperation(
            name=name,
            kind=collective.COLLECTIVE_KIND_REDUCE,
            reduction=collective.REDUCTION_SUM_OF_DOUBLES,
            participants=participants,
        )
        total = self._collective(operation, value, wait).value.vector.elements
        return [element for (element,) in struct.iter_unpack("<d", total)]

    def barrier(self, name, participants=(), wait=30.0):
        """Returns when all members, or all participants, have arrived at the barrier of this name."""
        operation = collective.CollectiveOperation(
            name=name, kind=collective.COLLECTIVE_KIND_BARRIER, participants=participants
        )
        self._collective(operation, None, wait)

    def _collective(self, operation, contribution, wait):
        request = client.TakePartRequest(
            operation=operation,
            contribution=contribution,
            wait_millis=_millis(wait),
            token=str(uuid.uuid4()),
        )
        answer = self._retried(self._take_part, wait, lambda first: request)
        if answer.HasField("failure"):
            reason = collective.CollectiveFailureReason.Name(answer.failure.reason)
            raise TreecastError(reason + ": " + answer.failure.text)
        return answer.result

    @staticmethod
    def _retried(call, wait, attempt):
        """Calls again with the same token while the agent cannot be reached, for as long as the caller waits."""
        deadline = time.monotonic() + wait
        pause = FIRST_PAUSE_SECONDS
        first = None
        lost = False  # Whether an attempt ended without the agent's word.
        while True:
            request = attempt(first)
            first = first if first is not None else time.monotonic()
            try:
                return call(request, timeout=max(0.0, deadline - time.monotonic()) + 2.0)
            except ValueError:  # The channel was closed.
                raise TreecastError.closed() from None
            except grpc.RpcError as error:
                left = deadline - time.monotonic()
                lost = lost or reason_of(error) == client.REFUSAL_REASON_UNSPECIFIED
                if not is_unavailable(error) or left < pause:
                    raise TreecastError.of(error, lost) from error
            time.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE_SECONDS)

    def close(self):
        """Ends the connection and its subscriptions."""
        self._channel.close()


class Server:
    """Answers the requests of a service, one at a time, until close(). In place when the constructor returns."""

    def __init__(self, treecast, service, handler, wait):
        self._treecast = treecast
        self._handler = handler
        self._turn = threading.Lock()
        self._subscriptions = []
        self.member = None
        topic = "request/" + service
        self._subscribe(topic, wait)
        self.member = self._subscriptions[0].member
        self._subscribe(f"{topic}/{self.member}", wait)

    def _subscribe(self, topic, wait):
        subscription = self._treecast._subscribe_to_requests(self._received, topic)
        self._subscriptions.append(subscription)
        subscription.wait_until_ready(wait)

    def _received(self, message_id, payload, published):
        try:
            request = message.RequestPayload.FromString(payload)
        except DecodeError:  # Another program uses the topic.
            return
        is_late = published and published + request.timeout_millis < time.time() * 1000
        is_reply = request.reply_topic == "reply" or request.reply_topic.startswith("reply/")
        if self.member not in request.receivers or is_late or not is_reply:
            return
        reply = message.ReplyPayload(id=request.id)
        try:
            with self._turn:
                reply.payload = self._handler(message_id.origin, request.payload)
        except Exception as error:  # The requester gets it.
            reply.error = repr(error)
        self._reply(request.reply_topic, reply, request.timeout_millis / 1000)

    def _reply(self, topic, reply, wait):
        try:
            self._treecast.broadcast(reply.SerializeToString(), topic, wait)
        except TreecastError as error:
            if error.reason == client.REFUSAL_REASON_TOO_MANY_TOPICS and topic != "reply":
                self._reply("reply", reply, wait)
            else:
                logging.getLogger(__name__).warning("a reply was not sent: %s", error)

    def close(self):
        """Ends the service."""
        for subscription in self._subscriptions:
            subscription.close()


class _HandlerFailed(Exception):
    def __init__(self, error):
        super().__init__(error)
        self.error = error


class Subscription:
    """Calls on_message(message_id, payload) for each message on a thread of its own, in order, once.

    When the call is lost it begins another one after the last message of each stream, so nothing is lost or doubled.
    """

    def __init__(
        self,
        call,
        on_message,
        topics,
        retained,
        positions,
        on_missed,
        on_failed,
        when_slow=client.WHEN_SLOW_SLOW_PUBLISHER,
    ):
        self.member = None  # The node id of the agent.
        self._call = call
        self._when_slow = when_slow
        self._on_message = on_message
        self._on_missed = on_missed
        self._on_failed = on_failed
        self._topics = topics
        self._retained = retained
        self._resumes = positions is not None
        self._last = {stream_of(message_id): message_id for message_id in positions or ()}
        self._unfinished = {}  # The chunks of each stream's message that has begun.
        self._begun = threading.Event()
        self._failure = None
        self._last_error = None
        self._closed = threading.Event()
        self._events = None
        self._thread = threading.Thread(target=self._run, name="treecast-subscription", daemon=True)
        self._thread.start()

    def wait_until_ready(self, timeout=None):
        """Returns when the subscription is in place: later broadcasts arrive."""
        if not self._begun.wait(timeout):
            why = self._last_error or "the agent has no tree yet, or not all members have answered"
            raise TreecastError(
                "the subscription is not in place yet: " + why, grpc.StatusCode.DEADLINE_EXCEEDED, False
            )
        if self._failure:
            raise self._failure

    @property
    def positions(self):
        """The last message of each stream. A subscription after these goes on where this one is."""
        return list(self._last.values())

    def close(self):
        """Ends the subscription; waits until the handler has returned."""
        self._closed.set()
        if self._events is not None:
            self._events.cancel()
        if threading.current_thread() is not self._thread:
            self._thread.join()

    def _request(self):
        start = client.SUBSCRIPTION_START_RETAINED if self._retained else client.SUBSCRIPTION_START_NOW
        if not self._resumes:
            return client.SubscribeRequest(start=start, topics=self._topics, when_slow=self._when_slow)
        return client.SubscribeRequest(
            start=client.SUBSCRIPTION_START_AFTER,
            after=self._last.values(),
            topics=self._topics,
            when_slow=self._when_slow,
        )

    def _run(self):
        pause = FIRST_PAUSE_SECONDS
        while not self._closed.is_set():
            self._unfinished.clear()
            try:
                events = self._events = self._call(self._request())
            except ValueError:  # The channel was closed.
                if not self._begun.is_set():
                    self._end(TreecastError.closed())
                return
            if self._closed.is_set():
                events.cancel()  # close() has not seen it.
            try:
                for response in events:
                    for event in response.events:
                        if self._closed.is_set():
                            return
                        if event.HasField("began"):
                            pause = FIRST_PAUSE_SECONDS
                        self._accept(event)
            except grpc.RpcError as error:
                self._last_error = error.details()
                if reason_of(error) in PERMANENT:
                    self._end(TreecastError.of(error))
                    self._on_failed(self._failure)
                    return
            except _HandlerFailed as failed:
                events.cancel()  # Otherwise publishers would wait for this subscription.
                self._end(failed.error)
                logging.getLogger(__name__).error("a subscription ends: its handler failed", exc_info=failed.error)
                self._on_failed(failed.error)
                return
            self._closed.wait(pause)
            pause = min(2 * pause, LONGEST_PAUSE_SECONDS)

    def _end(self, failure):
        self._failure = failure
        self._begun.set()

    @staticmethod
    def _handle(handler, *event):
        try:
            handler(*event)
        except Exception as error:
            raise _HandlerFailed(error) from error

    def _accept(self, event):
        kind = event.WhichOneof("event")
        if kind == "subscribed":
            self.member = event.subscribed.node_id
        elif kind == "began":
            if not self._begun.is_set():
                self._last.update((stream_of(message_id), message_id) for message_id in event.began.after)
                self._resumes = True
                self._begun.set()
        elif kind == "chunk":
            chunk = event.chunk
            stream = stream_of(chunk.message_id)
            self._unfinished.setdefault(stream, []).append(chunk.payload)
            if chunk.last:
                payload = b"".join(self._unfinished.pop(stream))
                self._handle(self._on_message, chunk.message_id, payload, chunk.published_unix_millis)
                self._last[stream] = chunk.message_id
        elif kind == "missed":
            missed = event.missed
            message_id = type(client.AwaitConfirmationRequest().message_id)(
                origin=missed.origin,
                incarnation=missed.incarnation,
                topic=missed.topic,
                lane=missed.lane,
                sequence=missed.last_sequence,
            )
            self._unfinished.pop(stream_of(message_id), None)
            self._handle(self._on_missed, missed)
            self._last[stream_of(message_id)] = message_id
        elif kind == "abandoned":
            self._unfinished.pop(stream_of(event.abandoned.message_id), None)
