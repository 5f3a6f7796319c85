import { join } from 'node:path';

/** A handle of the native module. */
export interface Native {
  readonly __handle: unique symbol;
}

/** Ends the calls that it was given to. */
export interface Cancel {
  cancel(): void;
}

interface Module {
  Cancel: new () => Cancel;
  begin(name: string, handle: Native | undefined, args: unknown[], cancel?: Cancel): Promise<unknown[]>;
  connect(home: string, id: string): Promise<unknown[]>;
  get(name: string, handle: Native): unknown;
  panic(): Promise<unknown[]>;
  end(): void;
}

// eslint-disable-next-line @typescript-eslint/no-require-imports
export const native = require(join(__dirname, '..', 'isobox.node')) as Module;
