"""Kills the server at random moments under concurrent producers, and checks what is stored.

What is looked for after each kill, on the server that was started again:
- the source is whole messages, each producer's in its order, each once (read with Python's own sqlite3);
- every message that was acknowledged is there, and ends at the offset that the acknowledgement named;
- what was there before is there unchanged;
- a reader's token from before the kill is accepted, and the diff since it begins there;
- the snapshot is what a server of its own makes of the same source in one append;
- the producers go on with their sequence: what was not acknowledged is sent again and counts once;
- forks, made, written and deleted all the while, begin with their source's bytes and go on with their own.
At the end the streams are finished, and their snapshots are those of POST /v1/parse.

It listens on loopback at free ports, ends only the processes that it started, and has a deadline.
"""

import argparse
import http.client
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time

LIMITS = {
    "PATH": os.environ.get("PATH", ""), "MOORING_HTTP_MAX_BODY_BYTES": "256MiB", "MOORING_STREAMS_MAX_BYTES": "256MiB"}
ANSWER_SECONDS = 20
START_SECONDS = 30
WORDS = "socks maps *tickets* `keys` [link](/a) a **bold** word | and | cells".split()
FORMS = ["{}\n", "{}\n\n", "- {}\n", "  - {}\n", "\n# {}\n\n", "> {}\n", "```\n{}\n```\n", "<think>\n{}\n</think>\n"]


def message(seed, producer, sequence):
    """The message of a producer with a sequence number, the same whenever it is asked for."""
    chance = random.Random(f"{seed} {producer} {sequence}")
    words = [chance.choice(WORDS) for _ in range(chance.randrange(1, 20))]
    if chance.random() < 0.01:
        words *= chance.randrange(1, 200)
    text = f"p{producer}:{sequence} " + " ".join(words)
    # The tag comes first, so that no message is the beginning of another's.
    return f"p{producer}:{sequence};\n{chance.choice(FORMS).format(text)}".encode()


class Server:
    """A server process, and the port that it listens at."""

    def __init__(self, binary, storage, log):
        # Nothing of this process's environment configures it. A fast disk takes more than the default limits.
        self.process = subprocess.Popen(
            [binary, "serve", "--listen", "127.0.0.1:0", "--storage", storage],
            stdout=subprocess.PIPE, stderr=log, env=LIMITS)
        line = self._first_line()
        if not line.startswith("mooring listening on http://127.0.0.1:"):
            self.kill()
            raise SystemExit(f"the server does not start: {line!r}")
        self.port = int(line.rsplit(":", 1)[1])

    def _first_line(self):
        watch = threading.Timer(START_SECONDS, self.process.kill)
        watch.start()
        try:
            return self.process.stdout.readline().decode().strip()
        finally:
            watch.cancel()

    def kill(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
        self.process.wait(timeout=ANSWER_SECONDS)
        self.process.stdout.close()

    def stop(self):
        """Ends it in order. Its exit status."""
        self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(timeout=START_SECONDS)
        finally:
            self.kill()

    def connect(self):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=ANSWER_SECONDS)

    def ask(self, method, target, body=None, fields={}):
        connection = self.connect()
        try:
            connection.request(method, target, body, fields)
            answer = connection.getresponse()
            return answer.status, dict(answer.getheaders()), answer.read()
        finally:
            connection.close()


class Producer(threading.Thread):
    """Sends one message after the other, and each again until it is acknowledged."""

    def __init__(self, test, number, stream):
        super().__init__(daemon=True)
        self.test, self.number, self.stream = test, number, stream
        self.sent = -1
        self.acknowledged = -1
        self.ends = []
        self.token = None
        self.again = 0
        self.failure = None
        self.connection = None
        self.connected_to = None

    def run(self):
        try:
            sequence = 0
            while self._send(sequence):
                sequence += 1
        except Exception as error:
            self.failure = error

    def _send(self, sequence):
        """Sends a message until it is acknowledged. False where the test is over."""
        content = message(self.test.seed, self.number, sequence)
        fields = {
            "Content-Type": "text/markdown", "Producer-Id": f"p{self.number}", "Producer-Epoch": "0",
            "Producer-Seq": str(sequence)}
        attempts = 0
        try:
            while True:
                current = self.test.wait_for_server(self)
                if current is None:
                    return False
                try:
                    if current is not self.connected_to:
                        self._disconnect()
                        self.connection = current.connect()
                        self.connected_to = current
                    self.sent = sequence
                    attempts += 1
                    self.connection.request("POST", f"/v1/blocks/{self.stream}", content, fields)
                    answer = self.connection.getresponse()
                    body = answer.read()
                except (OSError, http.client.HTTPException):
                    self._disconnect()
                    time.sleep(0.002)
                    continue
                if answer.status == 503:
                    time.sleep(0.01)
                    continue
                if answer.status != 200 or answer.getheader("Producer-Seq") != str(sequence):
                    raise AssertionError(f"producer {self.number}, {sequence}: {answer.status} {body[:500]}")
                token = answer.getheader("Stream-Next-Offset")
                # A repetition is told where the stream stands, not where the first one ended.
                self.ends.append(int(token.split("_")[1]) if attempts == 1 else None)
                self.again += attempts > 1
                self.token = token
                self.acknowledged = sequence
                return True
        finally:
            self.test.rests(self)

    def _disconnect(self):
        if self.connection is not None:
            self.connection.close()
        self.connection = self.connected_to = None


class Forker(Producer):
    """Makes a fork, writes to it, and deletes an older one, each until it is acknowledged; and so on."""

    KEPT = 4

    def __init__(self, test, number):
        super().__init__(test, number, None)
        self.forks = {}
        self.made = self.deleted = 0

    def run(self):
        try:
            while self._step():
                pass
        except Exception as error:
            self.failure = error

    def _step(self):
        source = self.test.chance_of_forks.choice(self.test.producers)
        token = source.token
        if token is None:
            time.sleep(0.002)
            return self.test.wait_for_server(self) is not None and self._rest()
        name = f"f{self.number}-{self.made}"
        fields = {
            "Content-Type": "text/markdown", "Stream-Forked-From": f"/v1/stream/{source.stream}",
            "Stream-Fork-Offset": token}
        if not self._ask("PUT", name, b"", fields, (200, 201)):
            return False
        self.forks[name] = [source.stream, int(token.split("_")[1]), b""]
        self.made += 1
        text = message(self.test.seed, name, 0)
        fields = {
            "Content-Type": "text/markdown", "Producer-Id": "p", "Producer-Epoch": "0", "Producer-Seq": "0"}
        if not self._ask("POST", name, text, fields, (200, 204)):
            # It may be there or not.
            self.forks.pop(name)
            return False
        self.forks[name][2] = text
        if len(self.forks) > self.KEPT:
            oldest = min(self.forks, key=lambda name: int(name.split("-")[1]))
            self.forks.pop(oldest)
            self.deleted += 1
            return self._ask("DELETE", oldest, None, {}, (204, 404))
        return True

    def _rest(self):
        self.test.rests(self)
        return True

    def _ask(self, method, name, content, fields, accepted):
        """Sends a request until it is answered. False where the test is over."""
        try:
            while True:
                current = self.test.wait_for_server(self)
                if current is None:
                    return False
                try:
                    status, _, body = current.ask(method, f"/v1/stream/{name}", content, fields)
                except (OSError, http.client.HTTPException):
                    time.sleep(0.002)
                    continue
                if status == 503:
                    time.sleep(0.01)
                    continue
                if status not in accepted:
                    raise AssertionError(f"{method} {name} {fields}: {status} {body[:500]}")
                return True
        finally:
            self.test.rests(self)


class Stream:
    """What is known of a stream's source."""

    def __init__(self, name):
        self.name = name
        self.source = b""
        self.next = {}
        self.ends = {}


class CrashTest:
    def __init__(self, options):
        self.options = options
        self.seed = options.seed
        self.chance = random.Random(self.seed)
        self.directory = tempfile.mkdtemp(prefix="mooring-crash-")
        self.database = os.path.join(self.directory, "mooring.sqlite")
        self.log = open(os.path.join(self.directory, "log"), "ab")
        self.condition = threading.Condition()
        self.server = None
        self.is_over = False
        self.working = set()
        self.streams = {f"s{number}": Stream(f"s{number}") for number in range(options.streams)}
        names = list(self.streams)
        self.producers = [
            Producer(self, number, names[number % len(names)]) for number in range(options.producers)]
        self.chance_of_forks = random.Random(self.seed + 1)
        self.forker = Forker(self, "forks")
        self.workers = self.producers + [self.forker]
        self.deadline = time.monotonic() + 120 + 15 * options.rounds

    # What the producers see.

    def wait_for_server(self, producer):
        """The server to send to, once there is one; None where the test is over."""
        with self.condition:
            while self.server is None and not self.is_over:
                self.working.discard(producer)
                self.condition.notify_all()
                self.condition.wait(1)
            if self.is_over:
                return None
            self.working.add(producer)
            return self.server

    def rests(self, producer):
        with self.condition:
            self.working.discard(producer)
            self.condition.notify_all()

    def open_to_producers(self, server):
        with self.condition:
            self.server = server
            self.condition.notify_all()

    def close_to_producers(self):
        """Lets no more begin, and waits until none is at it."""
        with self.condition:
            self.server = None
            end = time.monotonic() + 2 * ANSWER_SECONDS
            while self.working:
                assert time.monotonic() < end, "producers do not come to an end"
                self.condition.wait(1)

    # The rounds.

    def run(self):
        checker = Server(self.options.binary, "memory", self.log)
        server = None
        try:
            for worker in self.workers:
                worker.start()
            for round in range(self.options.rounds):
                server = Server(self.options.binary, f"sqlite:{self.database}", self.log)
                everything = round + 1 == self.options.rounds
                self.check(server, checker, everything)
                self.open_to_producers(server)
                time.sleep(self.chance.uniform(0.02, self.options.longest))
                server.kill()
                self.close_to_producers()
                for worker in self.workers:
                    if worker.failure is not None:
                        raise worker.failure
                assert time.monotonic() < self.deadline, "the deadline has passed"
                if self.options.verbose:
                    print(f"round {round + 1}: {sum(p.acknowledged + 1 for p in self.producers)} acknowledged")
            server = Server(self.options.binary, f"sqlite:{self.database}", self.log)
            self.check(server, checker, everything=True)
            self.finish(server)
            assert server.stop() == 0, "the server does not end in order"
            with self.condition:
                self.is_over = True
                self.condition.notify_all()
            for worker in self.workers:
                worker.join(ANSWER_SECONDS)
            self.report()
        finally:
            for process in (server, checker):
                if process is not None:
                    process.kill()

    def check(self, server, checker, everything):
        for stream in self.streams.values():
            self.check_source(stream)
        some = list(self.streams.values())
        if not everything:
            some = self.chance.sample(some, min(2, len(some)))
        for stream in some:
            self.check_snapshot(stream, server, checker)
        for producer in self.chance.sample(self.producers, min(4, len(self.producers))):
            self.check_token(producer, server)
        for name, (source, offset, own) in list(self.forker.forks.items()):
            self.check_fork(server, name, self.streams[source].source[:offset], own)

    def check_fork(self, server, name, inherited, own):
        found, token = b"", "-1"
        while True:
            status, fields, content = server.ask("GET", f"/v1/stream/{name}?offset={token}")
            assert status == 200, f"{name}: {status} {content[:500]}"
            found, token = found + content, fields["Stream-Next-Offset"]
            if fields.get("Stream-Up-To-Date") == "true":
                break
        # What was not acknowledged may be there, too.
        rest = found.removeprefix(inherited)
        assert len(rest) == len(found) - len(inherited), f"{name}: it does not begin as its source"
        expected = message(self.seed, name, 0)
        assert rest == own or not own and rest == expected, f"{name}: {rest[:200]} and not {own[:200]}"

    def check_source(self, stream):
        connection = sqlite3.connect(f"file:{self.database}?mode=ro", uri=True)
        try:
            rows = connection.execute(
                "SELECT start, chunks.bytes FROM chunks JOIN streams ON stream = incarnation WHERE path = ? "
                "ORDER BY start", (stream.name.encode(),)).fetchall()
            length = connection.execute(
                "SELECT length FROM streams WHERE path = ?", (stream.name.encode(),)).fetchone()
        finally:
            connection.close()
        source = b"".join(row[1] for row in rows)
        position = 0
        for start, piece in rows:
            assert start == position, f"{stream.name}: a gap at {position}"
            position += len(piece)
        assert (length or (0,))[0] == position, f"{stream.name}: {position} bytes, not {length}"
        assert source.startswith(stream.source), f"{stream.name}: what was there has changed"
        producers = [p for p in self.producers if p.stream == stream.name]
        position = len(stream.source)
        while position < len(source):
            for producer in producers:
                sequence = stream.next.get(producer.number, 0)
                content = message(self.seed, producer.number, sequence)
                if source.startswith(content, position):
                    break
            else:
                raise AssertionError(f"{stream.name}: at {position} is nobody's next message")
            stream.next[producer.number] = sequence + 1
            position += len(content)
            stream.ends[producer.number, sequence] = position
        stream.source = source
        for producer in producers:
            last = stream.next.get(producer.number, 0) - 1
            assert producer.acknowledged <= last <= producer.sent, (
                f"producer {producer.number}: {producer.acknowledged} acknowledged, {last} stored, "
                f"{producer.sent} sent")
            for sequence, end in enumerate(producer.ends):
                assert end is None or stream.ends[producer.number, sequence] == end, (
                    f"producer {producer.number}: {sequence} was said to end at {end}")

    def check_snapshot(self, stream, server, checker):
        if not stream.source:
            return
        status, _, found = server.ask("GET", f"/v1/blocks/{stream.name}")
        assert status == 200, f"{stream.name}: {status} {found[:500]}"
        name = f"check-{self.chance.randrange(1 << 60)}"
        status, _, answer = checker.ask(
            "POST", f"/v1/blocks/{name}", stream.source, {"Content-Type": "text/markdown"})
        assert status == 200, f"checker: {status} {answer[:500]}"
        status, _, expected = checker.ask("GET", f"/v1/blocks/{name}")
        found, expected = json.loads(found), json.loads(expected)
        assert found["blocks"] == expected["blocks"], f"{stream.name}: the snapshot is not that of its source"
        at = [int(state["at"].split("_")[1]) for state in (found, expected)]
        assert at[0] == at[1] == len(stream.source), f"{stream.name}: at {at}, not {len(stream.source)}"

    def check_token(self, producer, server):
        if producer.token is None:
            return
        status, _, answer = server.ask("GET", f"/v1/blocks/{producer.stream}?from={producer.token}")
        assert status == 200, f"{producer.stream}: token {producer.token}: {status} {answer[:500]}"
        assert json.loads(answer)["from"] == producer.token

    def finish(self, server):
        for stream in self.streams.values():
            fields = {"Content-Type": "text/markdown", "Stream-Closed": "true"}
            if not stream.source:
                continue
            status, _, answer = server.ask("POST", f"/v1/blocks/{stream.name}", b"", fields)
            assert status == 200, f"{stream.name}: {status} {answer[:500]}"
            found = json.loads(server.ask("GET", f"/v1/blocks/{stream.name}")[2])
            status, _, parsed = server.ask(
                "POST", "/v1/parse", stream.source, {"Content-Type": "text/markdown"})
            assert status == 200, f"{stream.name}: {status} {parsed[:500]}"
            assert found["finished"], f"{stream.name} is not finished"
            assert found["blocks"] == json.loads(parsed)["blocks"], f"{stream.name}: not what parse gives"

    def report(self):
        messages = sum(p.acknowledged + 1 for p in self.producers)
        size = sum(len(stream.source) for stream in self.streams.values())
        print(
            f"{self.options.rounds} kills, {len(self.producers)} producers, {len(self.streams)} streams: "
            f"{messages} messages acknowledged, {size} bytes, {sum(p.again for p in self.producers)} sent again; "
            f"each is there once, in order; {self.forker.made} forks made, {self.forker.deleted} deleted")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("binary")
    parser.add_argument("rounds", type=int, nargs="?", default=50)
    parser.add_argument("--producers", type=int, default=16)
    parser.add_argument("--streams", type=int, default=5)
    parser.add_argument("--longest", type=float, default=0.4, help="seconds until the kill, at most")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    parser.add_argument("--verbose", action="store_true")
    test = CrashTest(parser.parse_args())
    print(f"seed {test.seed}", flush=True)
    try:
        test.run()
    except BaseException as error:
        print(f"crash-test: {error!r}; what there is stays in {test.directory}", file=sys.stderr)
        sys.exit(1)
    shutil.rmtree(test.directory)


main()
