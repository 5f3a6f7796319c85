// What a type checker makes of the package. Never run.
import { CommandFailedError, Isobox, Sandbox, type ExecResult, type OutputEvent } from 'isobox';

export async function used(signal: AbortSignal): Promise<void> {
  await using sandbox = await Sandbox.create({ image: 'debian:12', memory: '1g', ttlMs: 3_600_000, network: 'none', signal });
  const result: ExecResult = await sandbox.exec(['echo', Buffer.from('x')], { env: { A: 'b' }, timeoutMs: 1000 });
  const text: string = result.stdout;
  const bytes: Buffer = result.stdoutBytes;
  const code: number = result.exitCode;
  const ended: number | undefined = result.signal;
  const process = await sandbox.spawn('cat', { stdin: true });
  for await (const event of process.events()) {
    const known: OutputEvent = event;
    if (known.type === 'stdout') {
      const data: Buffer = known.data;
      console.log(data, text, bytes, code, ended);
    }
  }
  const copies: Sandbox[] = await sandbox.fork({ count: 2 });
  console.log(copies.length);
  try {
    await sandbox.exec(['false'], { check: true });
  } catch (error) {
    if (error instanceof CommandFailedError && error.detail?.type === 'exec') {
      console.log(error.detail.failure.stdout.length);
    }
  }
  await using books = await Isobox.open({ home: '/tmp/x' });
  await books.collectGarbage({ dryRun: true });
  // @ts-expect-error it is a word
  await Sandbox.create({ onExpiry: 'explode' });
  // @ts-expect-error it is a number
  await sandbox.exec(['true'], { timeoutMs: '1' });
}
