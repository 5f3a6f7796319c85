// Written by `cargo xtask gen` from bindings/src/api.rs. Do not edit.

import { reviveDetail, type Detail, type ErrorCode, type Fault } from './records';

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

/** What was named does not exist. */
export class NotFoundError extends SandboxError {}

/** What was to be made exists. */
export class AlreadyExistsError extends SandboxError {}

/** It belongs to another owner. */
export class NotOwnedError extends SandboxError {}

/** The provider cannot do this; the detail names the capability. */
export class UnsupportedError extends SandboxError {}

/** The request is wrong; the detail names the field. */
export class InvalidSpecError extends SandboxError {}

/** The sandbox is in a state in which this cannot be done. */
export class InvalidStateError extends SandboxError {}

/** The operation did not end in time. A command that runs into its timeout is a result, not this. */
export class SandboxTimeoutError extends SandboxError {}

/** The caller gave up. */
export class OperationCancelledError extends SandboxError {}

/** The credential is missing or wrong. */
export class UnauthenticatedError extends SandboxError {}

/** The credential, or the user, may not do this. */
export class PermissionDeniedError extends SandboxError {}

/** Too many requests; the error says when to try again, where that is known. */
export class RateLimitedError extends SandboxError {}

/** A limit of the machine is reached, and nothing was started. */
export class OverloadedError extends SandboxError {}

/** Something is larger than it may be. */
export class LimitExceededError extends SandboxError {}

/** Memory ran out. */
export class OutOfMemoryError extends SandboxError {}

/** A disk is full. */
export class OutOfDiskError extends SandboxError {}

/** There is no such image. */
export class ImageNotFoundError extends SandboxError {}

/** The image could not be fetched. */
export class ImagePullFailedError extends SandboxError {}

/** The engine does not answer. */
export class EngineUnavailableError extends SandboxError {}

/** The sandbox is gone; the detail is how it died. */
export class SandboxGoneError extends SandboxError {}

/** The policy refused it. */
export class PolicyDeniedError extends SandboxError {}

/** The connection to the sandbox broke. */
export class TransportError extends SandboxError {}

/** It was begun and its end is not known. */
export class IncompleteError extends SandboxError {}

/** Something else is being done to it. */
export class ConflictError extends SandboxError {}

/** A command failed whose success was asked for. */
export class CommandFailedError extends SandboxError {}

/** An operation on files or devices failed. */
export class SandboxIOError extends SandboxError {}

/** A fault of this library. */
export class InternalError extends SandboxError {}

const classes: Record<string, typeof SandboxError> = {
  not_found: NotFoundError,
  already_exists: AlreadyExistsError,
  not_owned: NotOwnedError,
  unsupported: UnsupportedError,
  invalid_spec: InvalidSpecError,
  invalid_state: InvalidStateError,
  timeout: SandboxTimeoutError,
  cancelled: OperationCancelledError,
  unauthenticated: UnauthenticatedError,
  permission_denied: PermissionDeniedError,
  rate_limited: RateLimitedError,
  overloaded: OverloadedError,
  limit_exceeded: LimitExceededError,
  out_of_memory: OutOfMemoryError,
  out_of_disk: OutOfDiskError,
  image_not_found: ImageNotFoundError,
  image_pull_failed: ImagePullFailedError,
  engine_unavailable: EngineUnavailableError,
  sandbox_gone: SandboxGoneError,
  policy_denied: PolicyDeniedError,
  transport: TransportError,
  incomplete: IncompleteError,
  conflict: ConflictError,
  command_failed: CommandFailedError,
  io: SandboxIOError,
  internal: InternalError,
};

/** The error for what is known about it. */
export function made(facts: Facts): SandboxError {
  return new (classes[facts.code] ?? SandboxError)(facts);
}
