import concurrent.futures, io, os, sys, tarfile, tempfile, time
import docker

client = docker.from_env()
client.ping()
container = None


def timed(work):
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def create(image):
    global container
    container = client.containers.run(image, ["sleep", "86400"], detach=True, network_mode="none")
    assert container.exec_run(["echo", "hello"]).output == b"hello\n"


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


def download(here, there):
    chunks, _ = container.get_archive(there)
    with tempfile.TemporaryFile() as packed:
        for chunk in chunks:
            packed.write(chunk)
        packed.seek(0)
        with tarfile.open(fileobj=packed) as archive:
            archive.extractall(os.path.dirname(here), filter="data")


def answer(words):
    match words:
        case ["ready"]:
            return []
        case ["create", image]:
            return [timed(lambda: create(image))]
        case ["remove"]:
            return [timed(lambda: container.remove(force=True))]
        case ["exec", threads, each]:
            return execute(int(threads), int(each))
        case ["clear", there]:
            return [timed(lambda: container.exec_run(["rm", "-rf", there]))]
        case ["upload", here, there]:
            return [timed(lambda: upload(here, there))]
        case ["download", here, there]:
            return [timed(lambda: download(here, there))]


for line in sys.stdin:
    try:
        print("took", *answer(line.split()), flush=True)
    except Exception as error:
        print("failed", type(error).__name__, str(error).replace("\n", " ")[:200], flush=True)
