-- A pool that every process may take from, by its name. The row goes with the process that keeps it.
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
CREATE INDEX pools_owner ON pools (owner);

-- Whether every process may take a sandbox that a pool keeps ready.
ALTER TABLE sandboxes ADD COLUMN offered INTEGER NOT NULL DEFAULT 0;
CREATE INDEX sandboxes_offered ON sandboxes (pool, owner, id) WHERE offered;
