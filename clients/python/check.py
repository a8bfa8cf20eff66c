"""Checks the client against two agents of one cluster: check.py HOST:PORT HOST:PORT

Prints 'down?' when the first agent is to stop and 'up?' when it is to start again, and goes on after a line of input.
"""

import sys
import time
from concurrent.futures import ThreadPoolExecutor

import grpc
from treecast.v1 import client_pb2 as client
from treecast_client import Treecast, TreecastError


def ask(question):
    print(question, flush=True)
    sys.stdin.readline()


def until(condition):
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline, "not within a minute"
        time.sleep(0.1)


def inbox(treecast, **options):
    texts = []
    subscription = treecast.subscribe(lambda _, payload: texts.append(payload.decode()), **options)
    return texts, subscription


def main():
    first, second = (Treecast(agent) for agent in sys.argv[1:3])
    texts, subscription = inbox(first)
    prices, price_subscription = inbox(second, topics=["prices"])
    subscription.wait_until_ready(60)
    price_subscription.wait_until_ready(60)

    sent = second.broadcast(b"one", confirm=20.0)
    confirmation = second.confirmation(sent.message_id)
    assert len(confirmation.delivered) == 2 and not confirmation.unknown, confirmation
    first.broadcast(b"cheap", topic="prices", replicas=1)
    until(lambda: prices == ["cheap"])
    until(lambda: texts == ["one"])

    large = b"x" * 1_000_000
    second.upload([large[:300_001], large[300_001:]])
    until(lambda: len(texts) == 2)
    assert texts.pop() == large.decode()

    def failing():
        yield large
        raise OSError("the disk is gone")

    try:
        second.upload(failing())
        raise AssertionError("half of a source was uploaded")
    except OSError as error:
        assert str(error) == "the disk is gone"

    with ThreadPoolExecutor(2) as threads:
        sums = [threads.submit(first.sum, "total", [1, 0.5]), threads.submit(second.sum, "total", [2, 0.25])]
        assert [future.result() for future in sums] == [[3, 0.75], [3, 0.75]]
        barriers = [threads.submit(member.barrier, "all here") for member in (first, second)]
        for future in barriers:
            future.result()

    double = lambda origin, payload: payload * (2 if payload else None)
    servers = [member.serve("double", double) for member in (first, second)]
    names = [server.member for server in servers]
    assert first.request(names[1], "double", b"ab", 20.0) == b"abab"
    assert first.request(names[0], "double", b"c", 20.0) == b"cc"
    for name, failed in ((names[1], b""), ("nobody", b"ab")):
        try:
            first.request(name, "double", failed, 3.0)
            raise AssertionError("a request without an answer had one")
        except TreecastError:
            pass
    for server in servers:
        server.close()

    try:
        first.broadcast(b"x", topic="a\nb")
        raise AssertionError("a topic with a line end was taken")
    except TreecastError as error:
        assert error.reason == client.REFUSAL_REASON_INVALID_REQUEST and not error.may_have_happened

    failures = []
    refused = first.subscribe(lambda *message: None, topics=["a\nb"], on_failed=failures.append)
    for request in (lambda: refused.wait_until_ready(60), lambda: first.upload([b"x"], topic="a\nb")):
        try:
            request()
            raise AssertionError("a topic with a line end was taken")
        except TreecastError as error:
            assert error.reason == client.REFUSAL_REASON_INVALID_REQUEST and not error.may_have_happened
    assert [error.reason for error in failures] == [client.REFUSAL_REASON_INVALID_REQUEST]

    raised = []
    broken = first.subscribe(lambda _, payload: int(payload), on_failed=raised.append)
    broken.wait_until_ready(60)
    second.broadcast(b"no number")
    until(lambda: raised)
    assert isinstance(raised[0], ValueError), raised
    until(lambda: texts == ["one", "no number"])
    texts.pop()
    broken.close()

    ask("down?")
    second.broadcast(b"two")
    ask("up?")
    second.broadcast(b"three")
    until(lambda: len(texts) == 3)
    assert texts == ["one", "two", "three"], texts

    positions = subscription.positions
    subscription.close()
    second.broadcast(b"four")
    texts, resumed = inbox(first, positions=positions)
    until(lambda: len(texts) == 1)
    assert texts == ["four"], texts

    resumed.close()
    price_subscription.close()
    first.close()
    second.close()
    for request in (lambda: first.broadcast(b"x"), lambda: inbox(first)[1].wait_until_ready(60)):
        try:
            request()
            raise AssertionError("a closed client was used")
        except TreecastError as error:
            assert error.code == grpc.StatusCode.CANCELLED and not error.may_have_happened
    print("ok", flush=True)


main()
