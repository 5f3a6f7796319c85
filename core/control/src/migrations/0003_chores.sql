-- What one process at a time does for all of them now and then, such as dropping what is old.
CREATE TABLE chores (
    name       TEXT PRIMARY KEY,
    claimed_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
