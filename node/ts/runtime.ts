import { isMainThread } from 'node:worker_threads';
import { made, type Facts } from './errors';
import { native, type Native } from './native';

export type { Native } from './native';

/** What every call takes beside its own options. */
export interface CallOptions {
  /** Ends the call, and what it does, when it is aborted. The call then fails with the reason of the signal. */
  signal?: AbortSignal | undefined;
}

/** A call by its name. The error is made here, so that its stack has who called. @internal */
export async function begin(name: string, handle: Native | undefined, args: unknown[], signal?: AbortSignal): Promise<unknown> {
  return settled(await begun(name, handle, args, signal), signal);
}

async function begun(name: string, handle: Native | undefined, args: unknown[], signal?: AbortSignal): Promise<unknown[]> {
  if (signal === undefined) {
    return native.begin(name, handle, args);
  }
  signal.throwIfAborted();
  const cancel = new native.Cancel();
  const abort = (): void => cancel.cancel();
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await native.begin(name, handle, args, cancel);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** The value of a call that has ended, or its error. @internal */
export function settled(ended: unknown[], signal?: AbortSignal): unknown {
  const [value, facts] = ended;
  if (facts === undefined) {
    return value;
  }
  // Its place in the queue was too late for the signal to win.
  if (facts === true) {
    throw signal?.reason;
  }
  throw made(facts as Facts);
}

/** What is there at once. @internal */
export function get(name: string, handle: Native): unknown {
  return native.get(name, handle);
}

/** Refuses options that nobody asked for: they are slips. @internal */
export function none(rest: object): void {
  const [name] = Object.keys(rest);
  if (name !== undefined) {
    const message = `${name} is not known here`;
    throw made({ code: 'invalid_spec', message, retryable: false, fault: 'caller', detail: { type: 'invalid_spec', field: name, reason: 'is not known here' } });
  }
}

/** @internal */
export function same<T>(value: T): T {
  return value;
}

/** @internal */
export function each<T>(revive: (value: T) => T): (values: T[]) => T[] {
  return (values) => {
    values.forEach(revive);
    return values;
  };
}

/** @internal */
export function maybe<T>(revive: (value: T) => T): (value: T | undefined) => T | undefined {
  return (value) => (value === undefined ? undefined : revive(value));
}

/** What comes one by one, when it is asked for. Nothing is read ahead. Leaving a `for await` closes it. */
export class Stream<T> implements AsyncIterable<T> {
  private readonly native: Native;
  private readonly revive: (value: T) => T;

  /** @internal */
  constructor(native: Native, revive: (value: T) => T) {
    this.native = native;
    this.revive = revive;
  }

  /** The next one; undefined at the end and once it is closed. */
  async next(options: CallOptions = {}): Promise<T | undefined> {
    const next = (await begin('Stream.next', this.native, [], options.signal)) as [T] | undefined;
    return next === undefined ? undefined : this.revive(next[0]);
  }

  /** Ends it, also under somebody who waits for the next one. Again is fine. */
  async close(): Promise<void> {
    await begin('Stream.close', this.native, []);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    try {
      for (;;) {
        const next = (await begin('Stream.next', this.native, [])) as [T] | undefined;
        if (next === undefined) {
          return;
        }
        yield this.revive(next[0]);
      }
    } finally {
      await this.close();
    }
  }

  /** The end of an `await using`: the same as `close`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

// Before the process goes: its sandboxes end, and with them every thread that could call into it. A worker ends nothing of others.
if (isMainThread) {
  process.on('exit', () => native.end());
}
