/** Names a backup file's kind, in its first line. */
export const BACKUP_FORMAT = 'holdfast-postgres-backup'

/** Raised when the lines of the file change their meaning. */
export const BACKUP_VERSION = 1

/** The types of columns. In a line every value is a text or null, bytes in base64. */
export type ColumnType = 'text' | 'bigint' | 'integer' | 'boolean' | 'bytea' | 'tsvector'

/** A table as a backup holds it. */
export interface BackupTable {
  readonly name: string
  readonly columns: Readonly<Record<string, ColumnType>>
  /** The columns of its primary key: the order of its lines. */
  readonly order: readonly string[]
  /** How many rows are in memory at a time. */
  readonly batchRows: number
}

const many = { batchRows: 200 } as const

/**
 * Every table of the schema's newest version, but `meta`, `replicas` (none of them works on the copy) and what is about a bucket: the content there stands in a backup
 * as if it were in the database. A test compares them with the database.
 */
export const BACKUP_TABLES: readonly BackupTable[] = [
  {
    ...many,
    name: 'conversations',
    columns: {
      conversation_id: 'text',
      owner_id: 'text',
      head: 'bigint',
      archived: 'boolean',
      updated_at: 'bigint',
      listing_version: 'integer',
      listing_shown: 'text',
      listing_state: 'text',
      listing_checksum: 'bigint',
    },
    order: ['conversation_id'],
  },
  {
    ...many,
    name: 'entries',
    columns: { conversation_id: 'text', seq: 'bigint', is_checkpoint: 'boolean', checksum: 'bigint', body: 'text' },
    order: ['conversation_id', 'seq'],
  },
  {
    ...many,
    name: 'commands',
    columns: { conversation_id: 'text', command_id: 'text', fingerprint: 'text', from_seq: 'bigint', to_seq: 'bigint' },
    order: ['conversation_id', 'command_id'],
  },
  {
    ...many,
    name: 'leases',
    columns: {
      conversation_id: 'text',
      holder: 'text',
      epoch: 'bigint',
      expires_at: 'bigint',
      is_released: 'boolean',
      drafts_after: 'bigint',
    },
    order: ['conversation_id'],
  },
  {
    ...many,
    name: 'drafts',
    columns: { conversation_id: 'text', draft_number: 'bigint', run_id: 'text', step_id: 'text', deltas: 'text' },
    order: ['conversation_id', 'draft_number'],
  },
  {
    ...many,
    name: 'snapshots',
    columns: {
      conversation_id: 'text',
      projection: 'text',
      version: 'integer',
      cursor: 'bigint',
      state: 'text',
      checksum: 'bigint',
    },
    order: ['conversation_id', 'projection'],
  },
  {
    ...many,
    name: 'incoming_contents',
    columns: { content_id: 'bigint', started_at: 'bigint' },
    order: ['content_id'],
  },
  {
    ...many,
    name: 'content_pieces',
    columns: { content_id: 'bigint', piece: 'integer', bytes: 'bytea' },
    order: ['content_id', 'piece'],
    batchRows: 10,
  },
  {
    ...many,
    name: 'blobs',
    columns: {
      owner_id: 'text',
      hash: 'text',
      content_id: 'bigint',
      size_bytes: 'bigint',
      media_type: 'text',
      uploaded_at: 'bigint',
    },
    order: ['owner_id', 'hash'],
  },
  {
    ...many,
    name: 'uploads',
    columns: {
      upload_id: 'text',
      owner_id: 'text',
      hash: 'text',
      media_type: 'text',
      conversation_id: 'text',
      uploaded_at: 'bigint',
      is_used: 'boolean',
    },
    order: ['upload_id'],
  },
  {
    ...many,
    name: 'blob_references',
    columns: { conversation_id: 'text', seq: 'bigint', owner_id: 'text', hash: 'text' },
    order: ['conversation_id', 'seq', 'hash'],
  },
  {
    ...many,
    name: 'search_passages',
    columns: {
      conversation_id: 'text',
      seq: 'bigint',
      passage: 'integer',
      is_whole: 'boolean',
      owner_id: 'text',
      at: 'bigint',
      words: 'tsvector',
    },
    order: ['conversation_id', 'seq', 'passage'],
  },
  {
    ...many,
    name: 'usage_records',
    columns: {
      usage_number: 'bigint',
      owner_id: 'text',
      at: 'bigint',
      conversation_id: 'text',
      seq: 'bigint',
      body: 'text',
    },
    order: ['usage_number'],
  },
  {
    ...many,
    name: 'records',
    columns: {
      kind: 'text',
      owner_id: 'text',
      id: 'text',
      revision: 'bigint',
      change: 'bigint',
      updated_at: 'bigint',
      value: 'text',
    },
    order: ['kind', 'owner_id', 'id'],
  },
]

/** A row of a table: its columns in the order of the table, as text. */
export type BackupRow = readonly [table: string, ...values: (string | null)[]]

/** The first line of a backup. */
export interface BackupHeader {
  readonly format: string
  readonly formatVersion: number
  readonly schemaVersion: number
}

/** The last line of a backup: a file without it ends early. */
export interface BackupTrailer {
  /** How many rows of each table stand above. */
  readonly rowCounts: Readonly<Record<string, number>>
  /** SHA-256 of all lines above, each with its line feed, in hexadecimal. */
  readonly sha256: string
}
