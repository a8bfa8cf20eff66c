"""Broadcasts a greeting and prints it as it comes back from the tree: example.py HOST:PORT"""

import sys
import threading

try:
    from treecast_client import Treecast, TreecastError
except ModuleNotFoundError as missing:
    sys.exit(f"{missing}; docs/other-languages.md says how to install what this client needs")


def main():
    treecast = Treecast(sys.argv[1] if len(sys.argv) > 1 else "127.0.0.1:7700")
    arrived = threading.Event()

    def on_message(message_id, payload):
        print(f"{message_id.origin}#{message_id.sequence} {payload.decode()}")
        arrived.set()

    treecast.subscribe(on_message).wait_until_ready(10)
    sent = treecast.broadcast(b"hello from Python")
    print(f"accepted on tree version {sent.tree_version}")
    arrived.wait(60)
    treecast.close()


try:
    main()
except TreecastError as error:
    sys.exit(str(error))
