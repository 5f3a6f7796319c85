import os, platform, sys, tarfile, tempfile, threading, time

try:
    import docker

    # As many connections as there are threads: a smaller pool throws them away and makes them anew.
    client = docker.from_env(max_pool_size=64)
    client.ping()
    print("here", docker.__version__, "with Python", platform.python_version(), flush=True)
except Exception as error:
    print("failed", type(error).__name__, str(error).replace("\n", " ")[:200], flush=True)
    sys.exit(1)
container = None


def timed(work):
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def create(image):
    global container
    container = client.containers.run(image, ["sleep", "86400"], detach=True, network_mode="none")
    assert next(container.exec_run(["echo", "hello"], stream=True).output) == b"hello\n"


def run_true():
    assert container.exec_run(["true"]).exit_code == 0


class Worker(threading.Thread):
    """Runs commands one after the other until nobody waits for them."""

    def __init__(self, each):
        # One that waits for the end of a lost command keeps nobody from ending.
        super().__init__(daemon=True)
        self.each, self.took, self.failure, self.wanted = each, [], None, True
        self.begun = time.perf_counter()

    def run(self):
        try:
            while self.wanted and len(self.took) < self.each:
                self.begun = time.perf_counter()
                self.took.append(timed(run_true))
        except Exception as error:
            self.failure = error

    def ends(self, patience):
        """Whether it ends, and each of its commands in time."""
        while self.is_alive():
            self.join(1)
            if self.is_alive() and time.perf_counter() - self.begun > patience:
                self.wanted = False
                return False
        if self.failure:
            raise self.failure
        return True


def execute(threads, each, patience):
    workers = [Worker(each) for _ in range(threads)]
    for worker in workers:
        worker.start()
    lost = sum(not worker.ends(patience) for worker in workers)
    took = [seconds for worker in workers for seconds in worker.took]
    # While one is waited for, others may come to a late end, which is none either.
    in_time = [seconds for seconds in took if seconds <= patience]
    return in_time, lost + len(took) - len(in_time)


def upload(here, there):
    with tempfile.TemporaryFile() as packed:
        with tarfile.open(fileobj=packed, mode="w") as archive:
            archive.add(here, arcname=os.path.basename(there))
        packed.seek(0)
        assert container.put_archive(os.path.dirname(there), packed)


def download(into, there):
    chunks, _ = container.get_archive(there)
    with tempfile.TemporaryFile() as packed:
        for chunk in chunks:
            packed.write(chunk)
        packed.seek(0)
        with tarfile.open(fileobj=packed) as archive:
            archive.extractall(into, filter="data")


def answer(words):
    match words:
        case ["create", image]:
            return [timed(lambda: create(image))], 0
        case ["remove"]:
            return [timed(lambda: container.remove(force=True))], 0
        case ["exec", threads, each, patience]:
            return execute(int(threads), int(each), float(patience))
        case ["clear", there]:
            assert container.exec_run(["rm", "-rf", there]).exit_code == 0
            return [], 0
        case ["upload", here, there]:
            return [timed(lambda: upload(here, there))], 0
        case ["download", into, there]:
            return [timed(lambda: download(into, there))], 0


for line in sys.stdin:
    try:
        took, lost = answer(line.rstrip("\n").split("\t"))
        print("took", *took, "lost", lost, flush=True)
    except Exception as error:
        print("failed", type(error).__name__, str(error).replace("\n", " ")[:200], flush=True)
