// Files, lifetimes, other processes and threads, the end of the process.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, readlinkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';

const places = [];
const fresh = () => {
  places.push(mkdtempSync(join(tmpdir(), 'isobox-js-')));
  return places.at(-1);
};
process.env.ISOBOX_HOME = fresh();
const isobox = await import('isobox');
// After the library's own end.
process.on('exit', () => places.forEach((place) => rmSync(place, { recursive: true, force: true })));
const { Isobox, Sandbox } = isobox;
const here = dirname(fileURLToPath(import.meta.url));

function node(program, home, options = {}) {
  const env = { ...process.env, ISOBOX_HOME: home };
  return spawnSync(process.execPath, ['--input-type=module', '--eval', program], { env, cwd: here, encoding: 'utf8', timeout: 60_000, ...options });
}

async function left(home) {
  await using books = await Isobox.open({ home });
  return (await books.list()).map((info) => info.id);
}

async function goes(home) {
  for (let turn = 0; turn < 600 && (await left(home)).length > 0; turn += 1) {
    await new Promise((done) => setTimeout(done, 50));
  }
  assert.deepEqual(await left(home), []);
}

test('what is written is read', async () => {
  await using sandbox = await Sandbox.create();
  const { files } = sandbox;
  await files.write('notes/today.txt', 'grüße');
  assert.equal(await files.readText('notes/today.txt'), 'grüße');
  await files.append('notes/today.txt', Buffer.of(0, 255));
  assert.deepEqual(await files.read('notes/today.txt', { offset: 7 }), Buffer.of(0, 255));
  const found = await files.stat('notes/today.txt');
  assert.deepEqual([found.kind, found.size, found.mode], ['file', 9, 0o644]);
  assert.ok(Math.abs(found.modifiedAt - Date.now()) < 300_000);
  const odd = Buffer.from([0x6f, 0xff]);
  await files.write(odd, 'x');
  const listed = (await files.list('.')).find((entry) => entry.pathBytes !== undefined);
  assert.deepEqual(listed.pathBytes, odd);
  assert.deepEqual(await files.read(listed.pathBytes), Buffer.from('x'));
});

test('errors about files say what is wrong', async () => {
  await using sandbox = await Sandbox.create();
  await assert.rejects(sandbox.files.read('missing'), (error) => {
    assert.ok(error instanceof isobox.NotFoundError);
    assert.deepEqual([error.detail.type, error.detail.kind, error.detail.path], ['file', 'not_found', 'missing']);
    return true;
  });
});

test('directories go in and out, and large files in parts', async () => {
  await using sandbox = await Sandbox.create();
  const place = fresh();
  mkdirSync(join(place, 'source/deep'), { recursive: true });
  writeFileSync(join(place, 'source/deep/file'), 'x');
  symlinkSync('deep/file', join(place, 'source/link'));
  const report = await sandbox.files.upload(join(place, 'source'), 'there');
  assert.deepEqual([report.files, report.links], [1, 1]);
  await sandbox.files.download('there', join(place, 'back'));
  assert.equal(readFileSync(join(place, 'back/deep/file'), 'utf8'), 'x');
  assert.equal(readlinkSync(join(place, 'back/link')), 'deep/file');

  const part = Buffer.alloc(1 << 20, 7);
  {
    await using writer = await sandbox.files.writeStream('large');
    for (let turn = 0; turn < 8; turn += 1) await writer.write(part);
  }
  let got = 0;
  for await (const bytes of await sandbox.files.readStream('large')) got += bytes.length;
  assert.equal(got, 8 << 20);
});

test('a sandbox has what was asked for', async () => {
  await using sandbox = await Sandbox.create({
    env: { A: 'b' },
    labels: { for: 'this' },
    memory: '64m',
    ttlMs: 3_600_000,
    idleTimeoutMs: 'never',
    mounts: [{ type: 'tmpfs', target: '/fast', size: '1m' }],
    namespace: { hostname: 'box' },
    network: 'none',
  });
  assert.equal((await sandbox.exec('echo $A; hostname')).stdout, 'b\nbox\n');
  assert.deepEqual((await Sandbox.list({ labels: { for: 'this' } })).map((info) => info.id), [sandbox.id]);
});

for (const [options, words] of [
  [{ memory: 'lots' }, 'memory'],
  [{ image: 'x', rootfs: '/' }, 'source'],
  [{ onExpiry: 'explode' }, 'onExpiry'],
  [{ network: { type: 'allow', allow: ['not a host!'] } }, 'network.allow'],
  [{ network: 'some' }, 'network'],
  [{ namespace: { hostnme: 'box' } }, 'namespace.hostnme is not known'],
  [{ mounts: [{ type: 'bind', source: '/tmp' }] }, 'mounts.target'],
]) {
  test(`what cannot be is refused with its field: ${words}`, async () => {
    await assert.rejects(Sandbox.create(options), (error) => error instanceof isobox.SandboxError && error.message.includes(words));
  });
}

test('what a provider cannot do is refused by its name', async () => {
  await assert.rejects(Sandbox.create({ gpus: 1 }), (error) => error instanceof isobox.UnsupportedError && error.detail.capability === 'resources.gpu');
});

test('a death is told with its cause', async () => {
  await using sandbox = await Sandbox.create({ ttlMs: 1000 });
  assert.equal((await sandbox.ended()).cause, 'expired');
  await assert.rejects(sandbox.exec(['true']), (error) => error instanceof isobox.SandboxGoneError && error.detail.postMortem.cause === 'expired');
});

test('events tell what happened', async () => {
  await using sandbox = await Sandbox.create();
  await sandbox.exec(['true']);
  await using books = await Isobox.shared();
  await using events = await books.events({ after: 0, sandboxes: [sandbox.id], kinds: ['exec_exited'] });
  const event = await events.next();
  assert.deepEqual([event.subject, event.id, event.kind.type, event.kind.exit.exitCode], ['sandbox', sandbox.id, 'exec_exited', 0]);
});

test('sessions, search and services', async () => {
  await using sandbox = await Sandbox.create();
  await using session = await sandbox.session();
  await session.run('cd /tmp; A=kept');
  assert.equal((await session.run('echo "$PWD $A"')).output, '/tmp kept\n');
  assert.equal((await session.run('sleep 1000', { timeoutMs: 300 })).timedOut, true);
  await sandbox.files.write('tree/one', 'Alpha\n');
  const found = await sandbox.search.grep('alpha', { path: 'tree', ignoreCase: true });
  assert.deepEqual(found.map((match) => [match.path, match.lineNumber, match.line]), [['tree/one', 1, 'Alpha']]);
  const service = await sandbox.services.start('teller', 'echo ready; exec sleep 1000', { readyOutput: 'ready' });
  assert.deepEqual(await service.status(), { running: true });
  await service.stop();
});

test('copies have the files of then', async () => {
  await using sandbox = await Sandbox.create();
  await sandbox.files.write('state', 'one');
  await using copies = new AsyncDisposableStack_(await sandbox.fork({ count: 2 }));
  await sandbox.files.write('state', 'two');
  for (const copy of copies.all) assert.equal(await copy.files.readText('state'), 'one');
});

class AsyncDisposableStack_ {
  constructor(all) {
    this.all = all;
  }
  async [Symbol.asyncDispose]() {
    await Promise.all(this.all.map((one) => one.delete()));
  }
}

test('both kinds of modules give the same classes', () => {
  assert.equal(createRequire(import.meta.url)('isobox').Sandbox, Sandbox);
});

test('a worker uses it, and ends nothing of others', async () => {
  await using sandbox = await Sandbox.create();
  const program = `
    const { parentPort, workerData } = require('node:worker_threads');
    const { Sandbox } = require('isobox');
    Sandbox.connect(workerData).then((sandbox) => sandbox.exec(['echo', 'from a worker']))
      .then((result) => parentPort.postMessage(result.stdout));
  `;
  const worker = new Worker(program, { eval: true, workerData: sandbox.id });
  const told = await new Promise((done, failed) => worker.once('message', done).once('error', failed));
  assert.equal(told, 'from a worker\n');
  await worker.terminate();
  assert.equal((await sandbox.exec(['echo', 'on'])).stdout, 'on\n');
});

test('a process ends when nothing is pending, and leaves nothing', async () => {
  const home = fresh();
  const done = node(`import { Sandbox } from 'isobox'; const sandbox = await Sandbox.create(); await sandbox.spawn(['sleep', '1000']);`, home);
  assert.deepEqual([done.status, done.stderr], [0, '']);
  assert.deepEqual(await left(home), []);
});

test('a process that ends amid calls leaves nothing', async () => {
  const home = fresh();
  const program = `
    import { Sandbox } from 'isobox';
    const sandbox = await Sandbox.create();
    for (let turn = 0; turn < 8; turn += 1) sandbox.exec(['sleep', '1000']);
    Sandbox.create();
    setTimeout(() => process.exit(7), Math.random() * 50);
  `;
  for (let turn = 0; turn < 5; turn += 1) {
    const done = node(program, home);
    assert.deepEqual([done.status, done.stderr], [7, '']);
  }
  assert.deepEqual(await left(home), []);
});

test('an error that nobody handles is one of its kind', () => {
  const done = node(`import { Sandbox } from 'isobox'; await Sandbox.create({ memory: 'lots' });`, fresh());
  assert.equal(done.status, 1);
  assert.match(done.stderr, /InvalidSpecError: memory/);
});

test('nothing is left by a process that is interrupted or killed', async () => {
  for (const signal of ['SIGINT', 'SIGKILL']) {
    const home = fresh();
    const program = `
      import { Sandbox } from 'isobox';
      const sandbox = await Sandbox.create();
      console.log(sandbox.id);
      await sandbox.exec(['sleep', '1000']);
    `;
    const env = { ...process.env, ISOBOX_HOME: home };
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program], { env, cwd: here, stdio: ['ignore', 'pipe', 'inherit'] });
    await new Promise((done) => child.stdout.once('data', done));
    child.kill(signal);
    await new Promise((done) => child.once('exit', done));
    await goes(home);
  }
});
