/** Someone else appended first. Read from `head`, decide again, append again. [LOG2] */
export class AppendConflictError extends Error {
  override readonly name = 'AppendConflictError'
  readonly code = 'append-conflict'
  readonly conversationId: string
  readonly after: number
  /** Where the log ends. */
  readonly head: number

  constructor(conflict: { conversationId: string; after: number; head: number }, options?: ErrorOptions) {
    super(`Log of conversation ${conflict.conversationId} ends at ${conflict.head}, not at ${conflict.after}`, options)
    this.conversationId = conflict.conversationId
    this.after = conflict.after
    this.head = conflict.head
  }
}

/** The writer no longer owns the conversation: another has taken its lease. It stops writing. [LOG10] */
export class StaleEpochError extends Error {
  override readonly name = 'StaleEpochError'
  readonly code = 'stale-epoch'
  readonly conversationId: string

  /** `currentEpoch` is null where the store says only that it is another one, as it does of drafts. */
  constructor(stale: { conversationId: string; epoch: number; currentEpoch: number | null }) {
    const { conversationId, epoch, currentEpoch } = stale
    const now = currentEpoch === null ? 'another process has its lease' : `its lease is at epoch ${currentEpoch}`
    super(`Epoch ${epoch} of conversation ${conversationId} is over: ${now}`)
    this.conversationId = stale.conversationId
  }
}

/** Another process holds the lease that an append was to take. Leave the work to it, or ask again when the lease has run out. [LOG23] */
export class LeaseHeldError extends Error {
  override readonly name = 'LeaseHeldError'
  readonly code = 'lease-held'
  readonly conversationId: string

  constructor(conversationId: string) {
    super(`Another process holds the lease of conversation ${conversationId}; nothing was appended`)
    this.conversationId = conversationId
  }
}

/** A command id was used again for something else. The client has a defect; nothing was done. [LOG4] */
export class CommandReusedError extends Error {
  override readonly name = 'CommandReusedError'
  readonly code = 'command-reused'
  readonly commandId: string

  constructor(conversationId: string, commandId: string) {
    super(`Command ${commandId} of conversation ${conversationId} was already used with another body; send a new id`)
    this.commandId = commandId
  }
}

/** An entry names a blob that its owner never uploaded, or that was collected. [LOG11] */
export class MissingBlobError extends Error {
  override readonly name = 'MissingBlobError'
  readonly code = 'missing-blob'
  readonly hash: string

  constructor(hash: string) {
    super(`Blob ${hash} does not exist for this owner; upload it again`)
    this.hash = hash
  }
}

/** A log cannot be read whole. What stands before `firstBadSeq` is good. [LOG7] */
export class DamagedLogError extends Error {
  override readonly name = 'DamagedLogError'
  readonly code = 'damaged-log'
  readonly conversationId: string
  /** The first entry, in the order of the log, that is missing or not what was written. */
  readonly firstBadSeq: number

  constructor(damage: { conversationId: string; firstBadSeq: number; what: string }, options?: ErrorOptions) {
    super(
      `Log of conversation ${damage.conversationId} is damaged at entry ${damage.firstBadSeq}: ${damage.what}. ` +
        'Entries before it can be read and exported; restore a backup to get the rest.',
      options,
    )
    this.conversationId = damage.conversationId
    this.firstBadSeq = damage.firstBadSeq
  }
}

/** Why a store cannot be opened. */
export type StoreOpenFailure =
  | 'damaged'
  | 'newer-version'
  /** A look, where the next start changes the schema. */
  | 'older-version'
  | 'not-a-store'
  | 'not-writable'
  | 'locked'
  | 'network-file-system'
  /** A restore, where there is a store already. */
  | 'exists'
  /** A move into it has not ended. */
  | 'incomplete'
  | 'missing'
  | 'unreachable'

/** A store cannot be opened. Nothing was changed; the message names the file or server and the remedy. */
export class StoreOpenError extends Error {
  override readonly name = 'StoreOpenError'
  readonly code: StoreOpenFailure

  constructor(code: StoreOpenFailure, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** Why a write was refused by the disk or the database. */
export type StoreWriteFailure = 'disk-full' | 'not-writable' | 'busy' | 'disk-error' | 'unreachable' | 'closed'

/** What goes along with a refusal of a store. */
export interface StoreErrorOptions extends ErrorOptions {
  /** What everybody may be told: the message without the place of the store. Absent where the message names none. [LOG8] */
  readonly told?: string
}

/**
 * A write was refused. What it would have written is not acknowledged; it is stored once or not at all.
 * The same write may be tried again. [LOG8]
 */
export class StoreWriteError extends Error {
  override readonly name = 'StoreWriteError'
  readonly code: StoreWriteFailure
  /** What everybody may be told. The message is for whoever runs the server: it may name where the store is. */
  readonly told: string

  constructor(code: StoreWriteFailure, message: string, options?: StoreErrorOptions) {
    super(message, options)
    this.code = code
    this.told = options?.told ?? message
  }
}

/** A read was refused by the disk or the database; nothing is known about what it would have found. [LOG7] */
export class StoreReadError extends Error {
  override readonly name = 'StoreReadError'
  readonly code = 'read-failed'
  /** What everybody may be told. The message is for whoever runs the server: it may name where the store is. */
  readonly told: string

  constructor(message: string, options?: StoreErrorOptions) {
    super(message, options)
    this.told = options?.told ?? message
  }
}
