-- What may be at once on this machine: one row, written by whoever opens the file first.
CREATE TABLE limits (
    one     INTEGER PRIMARY KEY CHECK (one = 1),
    creates INTEGER NOT NULL,
    live    INTEGER,                -- NULL is no limit
    length  INTEGER NOT NULL,
    wait    INTEGER NOT NULL        -- milliseconds
) STRICT;

-- One request that waits for room; it has begun nothing.
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
-- The oldest of each process, without reading the others.
CREATE INDEX tickets_turn ON tickets (background, owner, sequence, copies);

-- When each process last had a turn, as a number that grows; nothing for one that never waited.
CREATE TABLE turns (
    owner TEXT PRIMARY KEY,         -- empty is nobody
    last  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- What is being made now, and by whom.
CREATE INDEX operations_making ON operations (owner) WHERE state = 'running' AND action IN ('create', 'start');

-- The pool that keeps a sandbox ready; NULL once it is taken. Its lifetimes count from then on.
ALTER TABLE sandboxes ADD COLUMN pool TEXT;
ALTER TABLE sandboxes ADD COLUMN taken_at INTEGER;
