-- The images of each provider, as they were when that was last written down.
CREATE TABLE provided_images (
    provider   TEXT NOT NULL,
    reference  TEXT NOT NULL,       -- the id of one without a name
    id         TEXT NOT NULL,       -- the digest of its config; empty is not known
    digest     TEXT,
    platform   TEXT,
    size       INTEGER,
    fetched_at INTEGER,
    used_at    INTEGER,             -- when a sandbox was last made from it
    PRIMARY KEY (provider, reference, id)
) STRICT, WITHOUT ROWID;
INSERT INTO provided_images SELECT provider, reference, '', digest, NULL, size, NULL, used_at FROM images;
DROP TABLE images;
ALTER TABLE provided_images RENAME TO images;
CREATE INDEX images_id ON images (provider, id);

-- How often the images of a provider were written down, so that nobody writes down an older list over a newer one.
CREATE TABLE image_lists (
    provider TEXT PRIMARY KEY,
    revision INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- One who changes the images of a provider. The row goes when what came of it is written down.
CREATE TABLE image_changes (
    operation TEXT PRIMARY KEY,
    provider  TEXT NOT NULL,
    owner     TEXT
) STRICT, WITHOUT ROWID;

-- The image that it was made from; NULL when it was made from something else.
ALTER TABLE sandboxes ADD COLUMN image TEXT;
