// Running commands.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

process.env.ISOBOX_HOME = mkdtempSync(join(tmpdir(), 'isobox-js-'));
const isobox = await import('isobox');
// After the library's own end.
process.on('exit', () => rmSync(process.env.ISOBOX_HOME, { recursive: true, force: true }));
const { Sandbox, CommandFailedError, InvalidSpecError, SandboxError } = isobox;

let sandbox;
before(async () => {
  sandbox = await Sandbox.create();
});
after(async () => {
  await sandbox.delete();
});

async function settles(what, look) {
  for (let turn = 0; turn < 1000; turn += 1) {
    if (await look()) return;
    await new Promise((done) => setTimeout(done, 10));
  }
  assert.fail(`${what} did not come about`);
}

const running = async () => (await sandbox.processes()).filter((process) => process.exit === undefined);

test('a list is run as it is', async () => {
  const result = await sandbox.exec(['echo', '$HOME', 'a b', ';']);
  assert.equal(result.stdout, '$HOME a b ;\n');
  assert.deepEqual([result.exitCode, result.ok], [0, true]);
});

test('a text is a script', async () => {
  const result = await sandbox.exec('echo out; echo err >&2; exit 3');
  assert.deepEqual([result.stdout, result.stderr, result.exitCode, result.ok], ['out\n', 'err\n', 3, false]);
});

test('bytes cross unchanged', async () => {
  const all = Buffer.from(Array.from({ length: 255 }, (_, byte) => byte + 1));
  const result = await sandbox.exec([Buffer.from('printf'), '%s', all]);
  assert.deepEqual(result.stdoutBytes, all);
  const echoed = await sandbox.exec(['cat'], { input: Uint8Array.of(0, 255, 0) });
  assert.deepEqual([...echoed.stdoutBytes], [0, 255, 0]);
});

test('what is given reaches the command', async () => {
  const result = await sandbox.exec('echo "$A"; pwd', { env: { A: 'b' }, cwd: '/tmp' });
  assert.equal(result.stdout, 'b\n/tmp\n');
});

test('a timeout is a result with what was written', async () => {
  const result = await sandbox.exec('echo before; sleep 100', { timeoutMs: 200 });
  assert.deepEqual([result.timedOut, result.stdout, result.termination], [true, 'before\n', 'timed_out']);
  assert.ok(result.durationMs > 150 && result.durationMs < 20_000);
});

test('a failure is an error when success is asked for, with the stack of who called', async () => {
  async function caller() {
    await sandbox.exec('echo told; exit 4', { check: true, label: 'the build' });
  }
  const error = await caller().then(
    () => assert.fail('it succeeded'),
    (error) => error,
  );
  assert.ok(error instanceof CommandFailedError && error instanceof SandboxError && error instanceof Error);
  assert.deepEqual([error.name, error.code, error.fault, error.sandbox], ['CommandFailedError', 'command_failed', 'program', sandbox.id]);
  assert.equal(error.detail.type, 'exec');
  assert.deepEqual([error.detail.failure.exitCode, error.detail.failure.stdout], [4, 'told\n']);
  assert.match(error.stack, /caller/);
  assert.doesNotMatch(error.message, /told/);
});

test('output is bounded and what is missing is counted', async () => {
  const result = await sandbox.exec(['head', '-c', '100000', '/dev/zero'], { maxOutput: 1000 });
  assert.equal(result.truncated, true);
  assert.deepEqual([result.stdoutInfo.observed, result.stdoutInfo.retained, result.stdoutInfo.omitted], [100_000, 1000, 99_000]);
});

test('events come as they happen', async () => {
  await using process = await sandbox.spawn('echo one; read line; echo $line >&2', { stdin: true });
  const events = process.events();
  assert.deepEqual(await events.next(), { type: 'stdout', data: Buffer.from('one\n') });
  await process.write('two\n');
  assert.deepEqual(await events.next(), { type: 'stderr', data: Buffer.from('two\n') });
  const end = await events.next();
  assert.deepEqual([end.type, end.exit.exitCode], ['exited', 0]);
  assert.equal(await events.next(), undefined);
  assert.equal((await process.wait()).stdout, 'one\n');
});

test('a stream has backpressure and can be left', async () => {
  await using command = await sandbox.spawn('cat /dev/zero');
  let got = 0;
  for await (const event of command.events()) {
    got += event.data.length;
    if (got > 10_000_000) break;
  }
  assert.ok(got > 10_000_000);
  // Whoever read ahead would have hundreds of megabytes more in this time.
  const before = process.memoryUsage.rss();
  await sandbox.exec(['sleep', '0.5']);
  assert.ok(process.memoryUsage.rss() - before < 50_000_000);
});

test('a signal that is aborted ends the command, and keeps its reason', async () => {
  const controller = new AbortController();
  let mine = 0;
  controller.signal.onabort = () => (mine += 1);
  const running_ = sandbox.exec(['sleep', '1000'], { signal: controller.signal });
  await settles('the command running', async () => (await running()).length === 1);
  const reason = new Error('enough');
  controller.abort(reason);
  await assert.rejects(running_, (error) => error === reason);
  assert.equal(mine, 1);
  await settles('the command ending', async () => (await running()).length === 0);
});

test('a signal that is aborted already begins nothing', async () => {
  await assert.rejects(sandbox.exec(['touch', 'begun'], { signal: AbortSignal.abort() }), { name: 'AbortError' });
  assert.equal(await sandbox.files.exists('begun'), false);
});

test('a signal of a timeout is one like others', async () => {
  await assert.rejects(sandbox.exec(['sleep', '1000'], { signal: AbortSignal.timeout(100) }), { name: 'TimeoutError' });
  await settles('the command ending', async () => (await running()).length === 0);
});

test('a thousand calls at once', async () => {
  const results = await Promise.all(Array.from({ length: 1000 }, (_, number) => sandbox.exec(['echo', `${number}`])));
  assert.deepEqual(results.map((result) => result.stdout), Array.from({ length: 1000 }, (_, number) => `${number}\n`));
});

test('the loop goes on meanwhile', async () => {
  let ticks = 0;
  const ticker = setInterval(() => (ticks += 1), 10);
  await sandbox.exec(['sleep', '1']);
  clearInterval(ticker);
  assert.ok(ticks > 20, `${ticks} ticks`);
});

test('a panic is an error of its call alone', async () => {
  const { settled } = (await import('node:module')).createRequire(import.meta.url)('../dist/runtime.js');
  const { native } = (await import('node:module')).createRequire(import.meta.url)('../dist/native.js');
  const ended = await native.panic();
  assert.throws(() => settled(ended), isobox.InternalError);
  assert.equal((await sandbox.exec(['echo', 'on'])).stdout, 'on\n');
});

for (const [name, call, words] of [
  ['command', () => sandbox.exec(5), 'command must be'],
  ['part', () => sandbox.exec([1]), 'each part of the command must be a string'],
  ['timeout', () => sandbox.exec(['true'], { timeoutMs: 'soon' }), 'timeoutMs must be a number of milliseconds'],
  ['negative', () => sandbox.exec(['true'], { timeoutMs: -1 }), 'timeoutMs is no time to wait'],
  ['NaN', () => sandbox.exec(['true'], { timeoutMs: NaN }), 'timeoutMs is no time to wait'],
  ['env', () => sandbox.exec(['true'], { env: 5 }), 'env must be an object'],
  ['word', () => sandbox.exec(['true'], { sanitize: 'all' }), 'give one of raw, strip_ansi, strip_all'],
  ['slip', () => sandbox.exec(['true'], { timeout: 1000 }), 'timeout is not known here, there are env, cwd'],
  ['slip without a record', () => sandbox.stop({ grace: 5 }), 'grace is not known here'],
  ['nothing', () => sandbox.exec([]), ''],
  ['missing', () => sandbox.files.read(), 'path is missing'],
]) {
  test(`bad input is refused with its name: ${name}`, async () => {
    await assert.rejects(call(), (error) => error instanceof InvalidSpecError && error.message.includes(words));
  });
}
