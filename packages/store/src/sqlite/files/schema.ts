/** The first version of the tables. Released versions are never edited: a change is a new migration. */
export const SCHEMA_1 = `
CREATE TABLE conversations (
  conversation_key INTEGER PRIMARY KEY AUTOINCREMENT,
  conversation_id TEXT NOT NULL UNIQUE,
  id_hash INTEGER NOT NULL,
  owner_id TEXT NOT NULL,
  head INTEGER NOT NULL,
  archived INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  listing_version INTEGER NOT NULL,
  checksum INTEGER NOT NULL,
  shown TEXT NOT NULL,
  state TEXT NOT NULL
) STRICT;
CREATE INDEX conversations_by_hash ON conversations (id_hash);
CREATE INDEX conversations_by_owner ON conversations (owner_id, archived, updated_at, conversation_id);

CREATE TABLE entries (
  entry_id INTEGER PRIMARY KEY,
  conversation_key INTEGER NOT NULL REFERENCES conversations (conversation_key),
  seq INTEGER NOT NULL,
  checksum INTEGER NOT NULL,
  type TEXT NOT NULL,
  found_id INTEGER,
  body TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX entries_by_place ON entries (conversation_key, seq);
CREATE INDEX entries_checkpoints ON entries (conversation_key, seq) WHERE type = 'checkpoint-made';
CREATE UNIQUE INDEX entries_found ON entries (found_id) WHERE found_id IS NOT NULL;

CREATE TABLE commands (
  conversation_key INTEGER NOT NULL REFERENCES conversations (conversation_key),
  command_id TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  first_seq INTEGER NOT NULL,
  last_seq INTEGER NOT NULL,
  PRIMARY KEY (conversation_key, command_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE leases (
  conversation_id TEXT PRIMARY KEY,
  epoch INTEGER NOT NULL,
  holder TEXT,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX leases_by_end ON leases (expires_at) WHERE holder IS NOT NULL;

CREATE TABLE drafts (
  draft_id INTEGER PRIMARY KEY,
  conversation_id TEXT NOT NULL,
  run_id TEXT NOT NULL,
  step_id TEXT NOT NULL,
  checksum INTEGER NOT NULL,
  deltas TEXT NOT NULL
) STRICT;
CREATE INDEX drafts_by_step ON drafts (conversation_id, step_id);

CREATE TABLE snapshots (
  conversation_id TEXT NOT NULL,
  projection TEXT NOT NULL,
  version INTEGER NOT NULL,
  cursor INTEGER NOT NULL,
  checksum INTEGER NOT NULL,
  state TEXT NOT NULL,
  PRIMARY KEY (conversation_id, projection)
) STRICT;

CREATE TABLE blobs (
  blob_key INTEGER PRIMARY KEY AUTOINCREMENT,
  owner_id TEXT NOT NULL,
  hash TEXT,
  size_bytes INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX blobs_by_content ON blobs (owner_id, hash) WHERE hash IS NOT NULL;

CREATE TABLE blob_pieces (
  piece_id INTEGER PRIMARY KEY,
  blob_key INTEGER NOT NULL REFERENCES blobs (blob_key),
  piece INTEGER NOT NULL,
  checksum INTEGER NOT NULL,
  bytes BLOB NOT NULL
) STRICT;
CREATE UNIQUE INDEX blob_pieces_by_place ON blob_pieces (blob_key, piece);

CREATE TABLE blob_references (
  conversation_key INTEGER NOT NULL REFERENCES conversations (conversation_key),
  blob_key INTEGER NOT NULL REFERENCES blobs (blob_key),
  media_type TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (conversation_key, blob_key)
) STRICT, WITHOUT ROWID;
CREATE INDEX blob_references_by_blob ON blob_references (blob_key);

CREATE TABLE uploads (
  upload_id TEXT PRIMARY KEY,
  owner_id TEXT NOT NULL,
  blob_key INTEGER NOT NULL REFERENCES blobs (blob_key),
  media_type TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX uploads_by_blob ON uploads (blob_key);

CREATE TABLE usage (
  usage_id INTEGER PRIMARY KEY,
  owner_id TEXT NOT NULL,
  at INTEGER NOT NULL,
  conversation_id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  checksum INTEGER NOT NULL,
  body TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX usage_by_time ON usage (owner_id, at, conversation_id, seq);

CREATE TABLE records (
  kind TEXT NOT NULL,
  owner_id TEXT NOT NULL,
  id TEXT NOT NULL,
  revision INTEGER NOT NULL,
  change INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  checksum INTEGER NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (kind, owner_id, id)
) STRICT;

CREATE TABLE record_changes (
  change INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL,
  owner_id TEXT NOT NULL,
  id TEXT NOT NULL,
  deleted INTEGER NOT NULL,
  UNIQUE (kind, owner_id, id)
) STRICT;

CREATE VIRTUAL TABLE search USING fts5 (
  owner, words,
  content = '', contentless_delete = 1, tokenize = 'ascii'
);
`

/** The second version: what tells a lost write-ahead file from one that was taken in, and a used upload from one that waits. */
export const SCHEMA_2 = `
ALTER TABLE uploads ADD COLUMN conversation_id TEXT;
ALTER TABLE uploads ADD COLUMN used INTEGER NOT NULL DEFAULT 0;
UPDATE uploads SET used = 1 WHERE blob_key IN (SELECT blob_key FROM blob_references);
CREATE TABLE generation (number INTEGER NOT NULL) STRICT;
INSERT INTO generation (number) VALUES (0);
`

/**
 * The third version: open steps by number. A chunk of a draft names its step by a number, not by two ids in its row and two
 * more in the index: with every tick each open step changed a page of that index.
 */
export const SCHEMA_3 = `
CREATE TABLE draft_steps (
  step_key INTEGER PRIMARY KEY,
  conversation_id TEXT NOT NULL,
  run_id TEXT NOT NULL,
  step_id TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX draft_steps_by_id ON draft_steps (conversation_id, step_id);

CREATE TABLE draft_chunks (
  chunk_id INTEGER PRIMARY KEY,
  step_key INTEGER NOT NULL REFERENCES draft_steps (step_key),
  checksum INTEGER NOT NULL,
  deltas TEXT NOT NULL
) STRICT;
CREATE INDEX draft_chunks_by_step ON draft_chunks (step_key);

INSERT INTO draft_steps (conversation_id, run_id, step_id)
  SELECT conversation_id, run_id, step_id FROM drafts GROUP BY conversation_id, step_id ORDER BY min(draft_id);
INSERT INTO draft_chunks (chunk_id, step_key, checksum, deltas)
  SELECT draft_id, step_key, checksum, deltas FROM drafts JOIN draft_steps USING (conversation_id, step_id) ORDER BY draft_id;
DROP TABLE drafts;
`

/** The fourth version: what is kept in a bucket, and what of it nothing names any more. */
export const SCHEMA_4 = `
ALTER TABLE blobs ADD COLUMN object_id TEXT;
CREATE TABLE dropped_objects (object_id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
`

/** The fifth version: from which entry on steps may still be written to, so that nothing of an ended one is kept. */
export const SCHEMA_5 = `
ALTER TABLE leases ADD COLUMN drafts_after INTEGER NOT NULL DEFAULT 0;
`
