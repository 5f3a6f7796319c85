# Written by `cargo xtask gen` from bindings/src/api.rs. Do not edit.
"""The errors: one class for each code, which also is the one of Python's own that says the same."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ._records import Detail, DiedDetail, ErrorCode, ExecDetail, ExecFailure, Fault, PostMortem

class SandboxError(Exception):
    """What every call of this library can raise.

    Neither it nor its message holds a command, its output, a value of the environment, a token or what is in a file; those are only in
    the detail.
    """

    code: ErrorCode = "internal"
    """What happened: the same words in every language and on the wire."""

    message: str
    """What happened, to what, and what to do about it."""

    retryable: bool = False
    """Whether the same call may succeed later."""

    retry_after: float | None = None
    """Seconds after which to try again, where that is known."""

    fault: Fault = "infrastructure"
    """Whose failure it is."""

    provider: str | None = None
    """The provider that it comes from."""

    sandbox: str | None = None
    """The id of the sandbox that it is about."""

    operation: str | None = None
    """The call that failed."""

    detail: Detail | None = None
    """The typed facts."""

    def __init__(self, message: str = "") -> None:
        super().__init__(message)
        self.message = message

    @property
    def is_infrastructure(self) -> bool:
        """Whether it is a failure of the machine, the engine, the network or this library, and not of the program or the caller."""
        return self.fault == "infrastructure"

    @property
    def post_mortem(self) -> PostMortem | None:
        """How the sandbox died, when that is why."""
        return self.detail.post_mortem if isinstance(self.detail, DiedDetail) else None

    @property
    def failure(self) -> ExecFailure | None:
        """How the command failed, with its output, when that is why."""
        return self.detail.failure if isinstance(self.detail, ExecDetail) else None

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (self.message,), self.__dict__)


class NotFoundError(SandboxError):
    """What was named does not exist."""

    code: ErrorCode = "not_found"


class AlreadyExistsError(SandboxError):
    """What was to be made exists."""

    code: ErrorCode = "already_exists"


class NotOwnedError(SandboxError):
    """It belongs to another owner."""

    code: ErrorCode = "not_owned"


class UnsupportedError(SandboxError, NotImplementedError):
    """The provider cannot do this; the detail names the capability."""

    code: ErrorCode = "unsupported"


class InvalidSpecError(SandboxError, ValueError):
    """The request is wrong; the detail names the field."""

    code: ErrorCode = "invalid_spec"


class InvalidStateError(SandboxError):
    """The sandbox is in a state in which this cannot be done."""

    code: ErrorCode = "invalid_state"


class SandboxTimeoutError(SandboxError, TimeoutError):
    """The operation did not end in time. A command that runs into its timeout is a result, not this."""

    code: ErrorCode = "timeout"


class OperationCancelledError(SandboxError):
    """The caller gave up."""

    code: ErrorCode = "cancelled"


class UnauthenticatedError(SandboxError):
    """The credential is missing or wrong."""

    code: ErrorCode = "unauthenticated"


class PermissionDeniedError(SandboxError, PermissionError):
    """The credential, or the user, may not do this."""

    code: ErrorCode = "permission_denied"


class RateLimitedError(SandboxError):
    """Too many requests; the error says when to try again, where that is known."""

    code: ErrorCode = "rate_limited"


class OverloadedError(SandboxError):
    """A limit of the machine is reached, and nothing was started."""

    code: ErrorCode = "overloaded"


class LimitExceededError(SandboxError):
    """Something is larger than it may be."""

    code: ErrorCode = "limit_exceeded"


class OutOfMemoryError(SandboxError):
    """Memory ran out."""

    code: ErrorCode = "out_of_memory"


class OutOfDiskError(SandboxError, OSError):
    """A disk is full."""

    code: ErrorCode = "out_of_disk"


class ImageNotFoundError(SandboxError):
    """There is no such image."""

    code: ErrorCode = "image_not_found"


class ImagePullFailedError(SandboxError):
    """The image could not be fetched."""

    code: ErrorCode = "image_pull_failed"


class EngineUnavailableError(SandboxError, ConnectionError):
    """The engine does not answer."""

    code: ErrorCode = "engine_unavailable"


class SandboxGoneError(SandboxError):
    """The sandbox is gone; the detail is how it died."""

    code: ErrorCode = "sandbox_gone"


class PolicyDeniedError(SandboxError, PermissionError):
    """The policy refused it."""

    code: ErrorCode = "policy_denied"


class TransportError(SandboxError, ConnectionError):
    """The connection to the sandbox broke."""

    code: ErrorCode = "transport"


class IncompleteError(SandboxError):
    """It was begun and its end is not known."""

    code: ErrorCode = "incomplete"


class ConflictError(SandboxError):
    """Something else is being done to it."""

    code: ErrorCode = "conflict"


class CommandFailedError(SandboxError):
    """A command failed whose success was asked for."""

    code: ErrorCode = "command_failed"


class SandboxIOError(SandboxError, OSError):
    """An operation on files or devices failed."""

    code: ErrorCode = "io"


class InternalError(SandboxError):
    """A fault of this library."""

    code: ErrorCode = "internal"


class FileMissingError(NotFoundError, FileNotFoundError):
    """A file or directory in a sandbox is not there."""


class FileThereError(AlreadyExistsError, FileExistsError):
    """There is a file or directory in a sandbox already."""


class FileIsADirectoryError(SandboxIOError, IsADirectoryError):
    """A path in a sandbox is a directory."""


class FileNotADirectoryError(SandboxIOError, NotADirectoryError):
    """A path in a sandbox is no directory."""


class FilePermissionError(PermissionDeniedError):
    """The user may not do this to a file in a sandbox."""


CODES: dict[str, type[SandboxError]] = {
    "not_found": NotFoundError,
    "already_exists": AlreadyExistsError,
    "not_owned": NotOwnedError,
    "unsupported": UnsupportedError,
    "invalid_spec": InvalidSpecError,
    "invalid_state": InvalidStateError,
    "timeout": SandboxTimeoutError,
    "cancelled": OperationCancelledError,
    "unauthenticated": UnauthenticatedError,
    "permission_denied": PermissionDeniedError,
    "rate_limited": RateLimitedError,
    "overloaded": OverloadedError,
    "limit_exceeded": LimitExceededError,
    "out_of_memory": OutOfMemoryError,
    "out_of_disk": OutOfDiskError,
    "image_not_found": ImageNotFoundError,
    "image_pull_failed": ImagePullFailedError,
    "engine_unavailable": EngineUnavailableError,
    "sandbox_gone": SandboxGoneError,
    "policy_denied": PolicyDeniedError,
    "transport": TransportError,
    "incomplete": IncompleteError,
    "conflict": ConflictError,
    "command_failed": CommandFailedError,
    "io": SandboxIOError,
    "internal": InternalError,
}
"""The class for each code."""

FILES: dict[str, type[SandboxError]] = {
    "not_found": FileMissingError,
    "already_exists": FileThereError,
    "is_a_directory": FileIsADirectoryError,
    "not_a_directory": FileNotADirectoryError,
    "permission_denied": FilePermissionError,
}
"""The class for each thing that can be wrong with a file and has one."""


def make(code: str, kind: str | None, message: str, facts: Mapping[str, Any]) -> SandboxError:
    """The error for a code, and for what is wrong with a file. For the native module."""
    error = (FILES.get(kind) if kind else None) or CODES.get(code, InternalError)
    made = error(message)
    made.__dict__.update(facts)
    return made


__all__ = [
    "SandboxError",
    "NotFoundError",
    "AlreadyExistsError",
    "NotOwnedError",
    "UnsupportedError",
    "InvalidSpecError",
    "InvalidStateError",
    "SandboxTimeoutError",
    "OperationCancelledError",
    "UnauthenticatedError",
    "PermissionDeniedError",
    "RateLimitedError",
    "OverloadedError",
    "LimitExceededError",
    "OutOfMemoryError",
    "OutOfDiskError",
    "ImageNotFoundError",
    "ImagePullFailedError",
    "EngineUnavailableError",
    "SandboxGoneError",
    "PolicyDeniedError",
    "TransportError",
    "IncompleteError",
    "ConflictError",
    "CommandFailedError",
    "SandboxIOError",
    "InternalError",
    "FileMissingError",
    "FileThereError",
    "FileIsADirectoryError",
    "FileNotADirectoryError",
    "FilePermissionError",
]
