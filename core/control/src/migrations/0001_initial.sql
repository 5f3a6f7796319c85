-- Times are microseconds since 1970 began; NULL is never, or not yet.
-- Ids, states, kinds and actions are the contract's words.

CREATE TABLE owners (
    id            TEXT PRIMARY KEY,
    pid           INTEGER NOT NULL,
    started       INTEGER NOT NULL, -- field 22 of /proc/PID/stat, in clock ticks since boot
    boot          TEXT NOT NULL,
    pid_namespace INTEGER NOT NULL,
    lock_inode    INTEGER NOT NULL,
    program       TEXT NOT NULL,
    created_at    INTEGER NOT NULL,
    ended_at      INTEGER
) STRICT, WITHOUT ROWID;

CREATE TABLE sandboxes (
    id          TEXT PRIMARY KEY,
    name        TEXT,
    provider    TEXT NOT NULL,
    external    TEXT,
    data        TEXT NOT NULL,      -- the provider's own, may hold a token
    spec        TEXT NOT NULL,      -- without the values of secrets
    fingerprint TEXT NOT NULL,
    labels      TEXT NOT NULL,
    state       TEXT NOT NULL,
    state_since INTEGER NOT NULL,
    version     INTEGER NOT NULL,   -- counts changes, for compare-and-set
    owner       TEXT,
    detached    INTEGER NOT NULL,
    expires_at  INTEGER,
    error       TEXT,
    created_at  INTEGER NOT NULL,
    updated_at  INTEGER NOT NULL,
    ended_at    INTEGER
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX sandboxes_live_name ON sandboxes (name) WHERE name IS NOT NULL AND ended_at IS NULL;
CREATE INDEX sandboxes_live ON sandboxes (state) WHERE ended_at IS NULL;
CREATE INDEX sandboxes_owner ON sandboxes (owner) WHERE owner IS NOT NULL AND ended_at IS NULL;
CREATE INDEX sandboxes_ended ON sandboxes (ended_at) WHERE ended_at IS NOT NULL;

CREATE TABLE sandbox_labels (
    name    TEXT NOT NULL,
    value   TEXT NOT NULL,
    sandbox TEXT NOT NULL REFERENCES sandboxes (id) ON DELETE CASCADE,
    PRIMARY KEY (name, value, sandbox)
) STRICT, WITHOUT ROWID;
CREATE INDEX sandbox_labels_sandbox ON sandbox_labels (sandbox);

CREATE TABLE operations (
    id          TEXT PRIMARY KEY,
    action      TEXT NOT NULL,
    sandbox     TEXT,
    key         TEXT,
    fingerprint TEXT NOT NULL,
    owner       TEXT,
    correlation TEXT,
    state       TEXT NOT NULL,      -- running, succeeded, failed
    result      TEXT,
    error       TEXT,
    started_at  INTEGER NOT NULL,
    ended_at    INTEGER
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX operations_key ON operations (key) WHERE key IS NOT NULL;
-- One operation at a time for each sandbox.
CREATE UNIQUE INDEX operations_running ON operations (sandbox) WHERE state = 'running' AND sandbox IS NOT NULL;
CREATE INDEX operations_owner ON operations (owner) WHERE state = 'running';
CREATE INDEX operations_ended ON operations (ended_at) WHERE ended_at IS NOT NULL;

-- The last number of each subject, also when its events are gone.
CREATE TABLE subjects (
    subject TEXT PRIMARY KEY,
    last    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- AUTOINCREMENT: a number is never given twice, also when the last event is gone.
CREATE TABLE events (
    sequence         INTEGER PRIMARY KEY AUTOINCREMENT,
    subject          TEXT NOT NULL,
    subject_sequence INTEGER NOT NULL,
    at               INTEGER NOT NULL,
    type             TEXT NOT NULL,
    event            TEXT NOT NULL
) STRICT;

CREATE UNIQUE INDEX events_subject ON events (subject, subject_sequence);

CREATE TABLE post_mortems (
    sandbox     TEXT PRIMARY KEY,
    cause       TEXT NOT NULL,
    at          INTEGER NOT NULL,
    post_mortem TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX post_mortems_at ON post_mortems (at);

CREATE TABLE processes (
    id         TEXT PRIMARY KEY,
    sandbox    TEXT NOT NULL REFERENCES sandboxes (id) ON DELETE CASCADE,
    label      TEXT,
    started_at INTEGER NOT NULL,
    ended_at   INTEGER,
    exit       TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX processes_sandbox ON processes (sandbox);

CREATE TABLE snapshots (
    id         TEXT PRIMARY KEY,
    name       TEXT,
    provider   TEXT NOT NULL,
    external   TEXT,
    sandbox    TEXT,
    state      TEXT NOT NULL,
    labels     TEXT NOT NULL,
    size       INTEGER,
    error      TEXT,
    created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX snapshots_name ON snapshots (provider, name) WHERE name IS NOT NULL;

CREATE TABLE volumes (
    id         TEXT PRIMARY KEY,
    name       TEXT NOT NULL,
    provider   TEXT NOT NULL,
    external   TEXT,
    state      TEXT NOT NULL,
    labels     TEXT NOT NULL,
    size       INTEGER,
    created_at INTEGER NOT NULL,
    UNIQUE (provider, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE volume_uses (
    volume  TEXT NOT NULL REFERENCES volumes (id),
    sandbox TEXT NOT NULL REFERENCES sandboxes (id) ON DELETE CASCADE,
    PRIMARY KEY (volume, sandbox)
) STRICT, WITHOUT ROWID;
CREATE INDEX volume_uses_sandbox ON volume_uses (sandbox);

CREATE TABLE images (
    provider  TEXT NOT NULL,
    reference TEXT NOT NULL,
    digest    TEXT,
    size      INTEGER,
    used_at   INTEGER NOT NULL,
    PRIMARY KEY (provider, reference)
) STRICT, WITHOUT ROWID;
