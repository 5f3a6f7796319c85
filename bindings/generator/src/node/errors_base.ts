/** All that is known about an error, as it comes over the border. */
export interface Facts {
  readonly code: ErrorCode;
  readonly message: string;
  readonly retryable: boolean;
  readonly retryAfterMs?: number;
  readonly fault: Fault;
  readonly provider?: string;
  readonly sandbox?: string;
  readonly operation?: string;
  readonly detail?: Detail;
}

/**
 * What every call can fail with. Neither it nor its message holds a command, its output, a value of the environment, a
 * token or what is in a file; those are only in the detail.
 */
export class SandboxError extends Error {
  /** What happened: the same words in every language and on the wire. */
  readonly code: ErrorCode;
  /** Whether the same call may succeed later. */
  readonly retryable: boolean;
  /** Milliseconds after which to try again, where that is known. */
  readonly retryAfterMs: number | undefined;
  /** Whose failure it is. */
  readonly fault: Fault;
  /** The provider that it comes from. */
  readonly provider: string | undefined;
  /** The id of the sandbox that it is about. */
  readonly sandbox: string | undefined;
  /** The call that failed. */
  readonly operation: string | undefined;
  /** The typed facts. */
  readonly detail: Detail | undefined;

  constructor(facts: Facts) {
    super(facts.message);
    this.name = new.target.name;
    this.code = facts.code;
    this.retryable = facts.retryable;
    this.retryAfterMs = facts.retryAfterMs;
    this.fault = facts.fault;
    this.provider = facts.provider;
    this.sandbox = facts.sandbox;
    this.operation = facts.operation;
    this.detail = facts.detail === undefined ? undefined : reviveDetail(facts.detail);
  }

  /** Whether it is a failure of the machine, the engine, the network or this library, and not of the program or the caller. */
  get isInfrastructure(): boolean {
    return this.fault === 'infrastructure';
  }
}
