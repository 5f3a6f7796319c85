import concurrent.futures, os, platform, sys, tarfile, tempfile, time

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


def run_true(_):
    def work():
        assert container.exec_run(["true"]).exit_code == 0

    return timed(work)


def execute(threads, each):
    with concurrent.futures.ThreadPoolExecutor(threads) as pool:
        return list(pool.map(run_true, range(threads * each)))


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
            return [timed(lambda: create(image))]
        case ["remove"]:
            return [timed(lambda: container.remove(force=True))]
        case ["exec", threads, each]:
            return execute(int(threads), int(each))
        case ["clear", there]:
            assert container.exec_run(["rm", "-rf", there]).exit_code == 0
            return []
        case ["upload", here, there]:
            return [timed(lambda: upload(here, there))]
        case ["download", into, there]:
            return [timed(lambda: download(into, there))]


for line in sys.stdin:
    try:
        print("took", *answer(line.rstrip("\n").split("\t")), flush=True)
    except Exception as error:
        print("failed", type(error).__name__, str(error).replace("\n", " ")[:200], flush=True)
