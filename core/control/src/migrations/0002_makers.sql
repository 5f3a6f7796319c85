-- The process that is making or removing it, so that another one finishes or undoes that once it is dead.
ALTER TABLE snapshots ADD COLUMN owner TEXT;
ALTER TABLE volumes ADD COLUMN owner TEXT;
