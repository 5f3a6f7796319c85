-- A database as version 5 made it, by `sqlite3 control.db .dump`.
PRAGMA application_id = 1769172834;
PRAGMA user_version = 5;
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
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
, pool TEXT, taken_at INTEGER, offered INTEGER NOT NULL DEFAULT 0) STRICT, WITHOUT ROWID;
INSERT INTO sandboxes VALUES('sbx_06h2scv7lpo017kuaca8ac7p7o','kept','namespace',NULL,'null','{"name":"kept","source":{"type":"default"},"resources":{},"env":{},"labels":{"team":"blue"},"user":null,"workdir":null,"network":{"mode":"none"},"ports":[],"mounts":[],"volumes":[],"secrets":[],"on_expiry":"delete","owner":"process","isolation":"none","kind":null,"entrypoint":false,"region":null,"public":null,"ephemeral":false,"options":null}','7e2f5b786a77c3a4f78524cb5bb7bc91c63455605e6e53673033f8de96d8d5c2','{"team":"blue"}','running',1796071483311754,2,NULL,0,NULL,NULL,1796071483310872,1796071483311754,NULL,NULL,NULL,0);
CREATE TABLE sandbox_labels (
    name    TEXT NOT NULL,
    value   TEXT NOT NULL,
    sandbox TEXT NOT NULL REFERENCES sandboxes (id) ON DELETE CASCADE,
    PRIMARY KEY (name, value, sandbox)
) STRICT, WITHOUT ROWID;
INSERT INTO sandbox_labels VALUES('team','blue','sbx_06h2scv7lpo017kuaca8ac7p7o');
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
INSERT INTO operations VALUES('op_06h2scv7lpo03097oq53hpjeto','create','sbx_06h2scv7lpo017kuaca8ac7p7o',NULL,'7e2f5b786a77c3a4f78524cb5bb7bc91c63455605e6e53673033f8de96d8d5c2',NULL,NULL,'succeeded','null',NULL,1796071483310872,1796071483311754);
CREATE TABLE subjects (
    subject TEXT PRIMARY KEY,
    last    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO subjects VALUES('sbx_06h2scv7lpo017kuaca8ac7p7o',4);
CREATE TABLE events (
    sequence         INTEGER PRIMARY KEY AUTOINCREMENT,
    subject          TEXT NOT NULL,
    subject_sequence INTEGER NOT NULL,
    at               INTEGER NOT NULL,
    type             TEXT NOT NULL,
    event            TEXT NOT NULL
) STRICT;
INSERT INTO events VALUES(1,'sbx_06h2scv7lpo017kuaca8ac7p7o',1,1796071483310872,'operation_started','{"id":"evt_06h2scv7lto016opakr8m4vsb4","sequence":0,"subject_sequence":0,"at":"2026-11-30T20:44:43.310872000Z","provider":"namespace","subject":{"type":"sandbox","id":"sbx_06h2scv7lpo017kuaca8ac7p7o","external":null,"name":"kept"},"operation":"op_06h2scv7lpo03097oq53hpjeto","type":"operation_started","action":"create"}');
INSERT INTO events VALUES(2,'sbx_06h2scv7lpo017kuaca8ac7p7o',2,1796071483310872,'state_observed','{"id":"evt_06h2scv7lto033aa4otui1bc24","sequence":0,"subject_sequence":0,"at":"2026-11-30T20:44:43.310872000Z","provider":"namespace","subject":{"type":"sandbox","id":"sbx_06h2scv7lpo017kuaca8ac7p7o","external":null,"name":"kept"},"operation":"op_06h2scv7lpo03097oq53hpjeto","type":"state_observed","previous":null,"current":{"resource":"sandbox","state":"creating"}}');
INSERT INTO events VALUES(3,'sbx_06h2scv7lpo017kuaca8ac7p7o',3,1796071483311754,'state_observed','{"id":"evt_06h2scv7m1o0146nfnvvgaeq7k","sequence":0,"subject_sequence":0,"at":"2026-11-30T20:44:43.311754000Z","provider":"namespace","subject":{"type":"sandbox","id":"sbx_06h2scv7lpo017kuaca8ac7p7o","external":null,"name":"kept"},"operation":"op_06h2scv7lpo03097oq53hpjeto","type":"state_observed","previous":{"resource":"sandbox","state":"creating"},"current":{"resource":"sandbox","state":"running"}}');
INSERT INTO events VALUES(4,'sbx_06h2scv7lpo017kuaca8ac7p7o',4,1796071483311754,'operation_completed','{"id":"evt_06h2scv7m1o03c0dnli3je5ka8","sequence":0,"subject_sequence":0,"at":"2026-11-30T20:44:43.311754000Z","provider":"namespace","subject":{"type":"sandbox","id":"sbx_06h2scv7lpo017kuaca8ac7p7o","external":null,"name":"kept"},"operation":"op_06h2scv7lpo03097oq53hpjeto","type":"operation_completed","action":"create","duration_ms":0}');
CREATE TABLE post_mortems (
    sandbox     TEXT PRIMARY KEY,
    cause       TEXT NOT NULL,
    at          INTEGER NOT NULL,
    post_mortem TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE processes (
    id         TEXT PRIMARY KEY,
    sandbox    TEXT NOT NULL REFERENCES sandboxes (id) ON DELETE CASCADE,
    label      TEXT,
    started_at INTEGER NOT NULL,
    ended_at   INTEGER,
    exit       TEXT
) STRICT, WITHOUT ROWID;
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
, owner TEXT) STRICT, WITHOUT ROWID;
CREATE TABLE volumes (
    id         TEXT PRIMARY KEY,
    name       TEXT NOT NULL,
    provider   TEXT NOT NULL,
    external   TEXT,
    state      TEXT NOT NULL,
    labels     TEXT NOT NULL,
    size       INTEGER,
    created_at INTEGER NOT NULL, owner TEXT,
    UNIQUE (provider, name)
) STRICT, WITHOUT ROWID;
CREATE TABLE volume_uses (
    volume  TEXT NOT NULL REFERENCES volumes (id),
    sandbox TEXT NOT NULL REFERENCES sandboxes (id) ON DELETE CASCADE,
    PRIMARY KEY (volume, sandbox)
) STRICT, WITHOUT ROWID;
CREATE TABLE images (
    provider  TEXT NOT NULL,
    reference TEXT NOT NULL,
    digest    TEXT,
    size      INTEGER,
    used_at   INTEGER NOT NULL,
    PRIMARY KEY (provider, reference)
) STRICT, WITHOUT ROWID;
INSERT INTO images VALUES('namespace','docker.io/library/alpine:3.22','sha256:d1',5,1000000);
CREATE TABLE chores (
    name       TEXT PRIMARY KEY,
    claimed_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE limits (
    one     INTEGER PRIMARY KEY CHECK (one = 1),
    creates INTEGER NOT NULL,
    live    INTEGER,                -- NULL is no limit
    length  INTEGER NOT NULL,
    wait    INTEGER NOT NULL        -- milliseconds
) STRICT;
INSERT INTO limits VALUES(1,32,NULL,10000,60000);
CREATE TABLE tickets (
    sequence   INTEGER PRIMARY KEY, -- the order in which they came
    operation  TEXT NOT NULL UNIQUE,
    background INTEGER NOT NULL,    -- after all others
    owner      TEXT NOT NULL,       -- empty is nobody
    copies     INTEGER NOT NULL,    -- sandboxes that will be live with it
    action     TEXT NOT NULL,
    sandbox    TEXT NOT NULL,
    name       TEXT,
    provider   TEXT NOT NULL,
    at         INTEGER NOT NULL
) STRICT;
CREATE TABLE turns (
    owner TEXT PRIMARY KEY,         -- empty is nobody
    last  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE pools (
    name       TEXT PRIMARY KEY,
    owner      TEXT NOT NULL,
    provider   TEXT NOT NULL,
    spec       TEXT NOT NULL,       -- what is taken counts as; without the values of secrets
    whole      INTEGER NOT NULL,    -- whether that is all there is to say, so that others can make one too
    library    TEXT NOT NULL,       -- the version that keeps it
    size       INTEGER NOT NULL,
    taken      INTEGER NOT NULL,
    ending     INTEGER NOT NULL,    -- whether somebody has asked for its end
    failure    TEXT,
    created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES('events',4);
CREATE UNIQUE INDEX sandboxes_live_name ON sandboxes (name) WHERE name IS NOT NULL AND ended_at IS NULL;
CREATE INDEX sandboxes_live ON sandboxes (state) WHERE ended_at IS NULL;
CREATE INDEX sandboxes_owner ON sandboxes (owner) WHERE owner IS NOT NULL AND ended_at IS NULL;
CREATE INDEX sandboxes_ended ON sandboxes (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX sandbox_labels_sandbox ON sandbox_labels (sandbox);
CREATE UNIQUE INDEX operations_key ON operations (key) WHERE key IS NOT NULL;
CREATE UNIQUE INDEX operations_running ON operations (sandbox) WHERE state = 'running' AND sandbox IS NOT NULL;
CREATE INDEX operations_owner ON operations (owner) WHERE state = 'running';
CREATE INDEX operations_ended ON operations (ended_at) WHERE ended_at IS NOT NULL;
CREATE UNIQUE INDEX events_subject ON events (subject, subject_sequence);
CREATE INDEX post_mortems_at ON post_mortems (at);
CREATE INDEX processes_sandbox ON processes (sandbox);
CREATE UNIQUE INDEX snapshots_name ON snapshots (provider, name) WHERE name IS NOT NULL;
CREATE INDEX volume_uses_sandbox ON volume_uses (sandbox);
CREATE INDEX tickets_turn ON tickets (background, owner, sequence, copies);
CREATE INDEX operations_making ON operations (owner) WHERE state = 'running' AND action IN ('create', 'start');
CREATE INDEX pools_owner ON pools (owner);
CREATE INDEX sandboxes_offered ON sandboxes (pool, owner, id) WHERE offered;
COMMIT;
