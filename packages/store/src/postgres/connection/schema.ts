/** One step of the schema: what makes it of the version before. A released step never changes. */
export type Migration = readonly string[]

/**
 * The tables, all in the schema `holdfast`, so that other tables of the same database are left alone.
 *
 * Names and ids are compared by their bytes (COLLATE "C"). Bodies are text and not jsonb: they come back byte
 * for byte, and JSON text holds NUL characters only escaped, which jsonb refuses. Times are milliseconds
 * since the Unix epoch.
 */
const FIRST: Migration = [
  'CREATE SCHEMA holdfast',

  `CREATE TABLE holdfast.meta (
    is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
    schema_version integer NOT NULL
  )`,
  'INSERT INTO holdfast.meta (schema_version) VALUES (0)',

  // The clock by which leases run out: the server's, the same for every replica.
  `CREATE FUNCTION holdfast.now_ms() RETURNS bigint LANGUAGE sql VOLATILE AS
    'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint'`,

  `CREATE TABLE holdfast.conversations (
    conversation_id text COLLATE "C" PRIMARY KEY,
    owner_id text COLLATE "C" NOT NULL,
    head bigint NOT NULL,
    archived boolean NOT NULL,
    updated_at bigint NOT NULL,
    listing_version integer NOT NULL,
    listing_shown text NOT NULL,
    listing_state text NOT NULL,
    listing_checksum bigint NOT NULL
  )`,
  `CREATE INDEX conversations_list
    ON holdfast.conversations (owner_id, archived, updated_at DESC, conversation_id DESC)`,

  `CREATE TABLE holdfast.entries (
    conversation_id text COLLATE "C" NOT NULL,
    seq bigint NOT NULL,
    is_checkpoint boolean NOT NULL,
    checksum bigint NOT NULL,
    body text NOT NULL,
    PRIMARY KEY (conversation_id, seq)
  )`,
  'CREATE INDEX entries_checkpoints ON holdfast.entries (conversation_id, seq) WHERE is_checkpoint',

  `CREATE TABLE holdfast.commands (
    conversation_id text COLLATE "C" NOT NULL,
    command_id text COLLATE "C" NOT NULL,
    fingerprint text NOT NULL,
    from_seq bigint NOT NULL,
    to_seq bigint NOT NULL,
    PRIMARY KEY (conversation_id, command_id)
  )`,

  // A row stays when the lease is given back and when the conversation is deleted: an epoch never comes again.
  `CREATE TABLE holdfast.leases (
    conversation_id text COLLATE "C" PRIMARY KEY,
    holder text NOT NULL,
    epoch bigint NOT NULL,
    expires_at bigint NOT NULL,
    is_released boolean NOT NULL
  )`,
  'CREATE INDEX leases_held ON holdfast.leases (expires_at) WHERE NOT is_released',

  `CREATE TABLE holdfast.drafts (
    conversation_id text COLLATE "C" NOT NULL,
    draft_number bigint GENERATED ALWAYS AS IDENTITY,
    run_id text NOT NULL,
    step_id text COLLATE "C" NOT NULL,
    deltas text NOT NULL,
    PRIMARY KEY (conversation_id, draft_number)
  )`,

  `CREATE TABLE holdfast.snapshots (
    conversation_id text COLLATE "C" NOT NULL,
    projection text COLLATE "C" NOT NULL,
    version integer NOT NULL,
    cursor bigint NOT NULL,
    state text NOT NULL,
    checksum bigint NOT NULL,
    PRIMARY KEY (conversation_id, projection)
  )`,

  // Content arrives in pieces before its hash is known. What nobody finished is collected.
  `CREATE TABLE holdfast.incoming_contents (
    content_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    started_at bigint NOT NULL
  )`,
  `CREATE TABLE holdfast.content_pieces (
    content_id bigint NOT NULL,
    piece integer NOT NULL,
    bytes bytea NOT NULL,
    PRIMARY KEY (content_id, piece)
  )`,
  `CREATE TABLE holdfast.blobs (
    owner_id text COLLATE "C" NOT NULL,
    hash text COLLATE "C" NOT NULL,
    content_id bigint NOT NULL UNIQUE,
    size_bytes bigint NOT NULL,
    media_type text NOT NULL,
    uploaded_at bigint NOT NULL,
    PRIMARY KEY (owner_id, hash)
  )`,
  'CREATE INDEX blobs_by_age ON holdfast.blobs (uploaded_at)',
  `CREATE TABLE holdfast.uploads (
    upload_id text COLLATE "C" PRIMARY KEY,
    owner_id text COLLATE "C" NOT NULL,
    hash text COLLATE "C" NOT NULL,
    media_type text NOT NULL
  )`,
  'CREATE INDEX uploads_by_blob ON holdfast.uploads (owner_id, hash)',
  `CREATE TABLE holdfast.blob_references (
    conversation_id text COLLATE "C" NOT NULL,
    seq bigint NOT NULL,
    owner_id text COLLATE "C" NOT NULL,
    hash text COLLATE "C" NOT NULL,
    PRIMARY KEY (conversation_id, seq, hash)
  )`,
  'CREATE INDEX blob_references_by_blob ON holdfast.blob_references (owner_id, hash)',
  'CREATE INDEX blob_references_by_conversation ON holdfast.blob_references (conversation_id, hash)',

  // A text longer than a passage has several, which overlap; see search-passages.ts.
  `CREATE TABLE holdfast.search_passages (
    conversation_id text COLLATE "C" NOT NULL,
    seq bigint NOT NULL,
    passage integer NOT NULL,
    is_whole boolean NOT NULL,
    owner_id text COLLATE "C" NOT NULL,
    at bigint NOT NULL,
    words tsvector NOT NULL,
    PRIMARY KEY (conversation_id, seq, passage)
  )`,
  'CREATE INDEX search_words ON holdfast.search_passages USING gin (words)',
  'CREATE INDEX search_words_of_parts ON holdfast.search_passages USING gin (words) WHERE NOT is_whole',

  `CREATE TABLE holdfast.usage_records (
    usage_number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    owner_id text COLLATE "C" NOT NULL,
    at bigint NOT NULL,
    conversation_id text COLLATE "C" NOT NULL,
    seq bigint NOT NULL,
    body text NOT NULL
  )`,
  'CREATE INDEX usage_by_time ON holdfast.usage_records (owner_id, at, conversation_id, seq)',

  // A deleted record keeps its row, without value: the change feed says that it is gone.
  `CREATE TABLE holdfast.records (
    kind text COLLATE "C" NOT NULL,
    owner_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    revision bigint NOT NULL,
    change bigint NOT NULL UNIQUE,
    updated_at bigint NOT NULL,
    value text,
    PRIMARY KEY (kind, owner_id, id)
  )`,
]

/** What tells a used upload from one that waits. */
const SECOND: Migration = [
  `ALTER TABLE holdfast.uploads
    ADD COLUMN conversation_id text COLLATE "C",
    ADD COLUMN uploaded_at bigint,
    ADD COLUMN is_used boolean NOT NULL DEFAULT false`,
  `UPDATE holdfast.uploads u SET
    uploaded_at = coalesce((SELECT b.uploaded_at FROM holdfast.blobs b WHERE b.owner_id = u.owner_id AND b.hash = u.hash), 0),
    is_used = EXISTS (SELECT 1 FROM holdfast.blob_references r WHERE r.owner_id = u.owner_id AND r.hash = u.hash)`,
  'ALTER TABLE holdfast.uploads ALTER COLUMN uploaded_at SET NOT NULL, ALTER COLUMN is_used DROP DEFAULT',
]

/** Who is there, and whose leases are whose. */
const THIRD: Migration = [
  `CREATE TABLE holdfast.replicas (
    replica_id text COLLATE "C" PRIMARY KEY,
    host text NOT NULL,
    pid integer NOT NULL,
    version text NOT NULL,
    url text,
    started_at bigint NOT NULL,
    beat_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    is_draining boolean NOT NULL
  )`,
  // By bytes, as the ids of the replicas that it names.
  'ALTER TABLE holdfast.leases ALTER COLUMN holder TYPE text COLLATE "C"',
  'CREATE INDEX leases_by_holder ON holdfast.leases (holder, conversation_id) WHERE NOT is_released',
]

/** What is kept in a bucket, and what of it nothing names any more: it is removed from there, and then from here. */
const FOURTH: Migration = [
  'ALTER TABLE holdfast.blobs ADD COLUMN object_id text COLLATE "C"',
  'ALTER TABLE holdfast.incoming_contents ADD COLUMN object_id text COLLATE "C"',
  'CREATE TABLE holdfast.dropped_objects (object_id text COLLATE "C" PRIMARY KEY)',
]

/** From which entry on steps may still be written to, so that nothing of an ended one is kept. */
const FIFTH: Migration = ['ALTER TABLE holdfast.leases ADD COLUMN drafts_after bigint NOT NULL DEFAULT 0']

/**
 * From which version on servers go on beside this schema. A step beside which older servers cannot sets it to its own number;
 * any other lets them, for it only adds what they neither read nor must write. [SCALE30]
 */
const SIXTH: Migration = ['ALTER TABLE holdfast.meta ADD COLUMN oldest_version integer NOT NULL DEFAULT 6']

/** Every step, in order; the schema's version is how many of them were made. */
export const MIGRATIONS: readonly Migration[] = [FIRST, SECOND, THIRD, FOURTH, FIFTH, SIXTH]
