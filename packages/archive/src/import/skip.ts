/** Why something of a source did not become part of a conversation. */
export type SkipReason =
  /** The line or value is not JSON. */
  | 'damaged'
  | 'too-long'
  | 'too-deep'
  /** JSON, but not what the format says at this place. */
  | 'malformed'
  /** Seen already in this source. */
  | 'repeated'
  /** A result whose call is not there. */
  | 'result-without-call'
  /** Housekeeping of the other program: progress, snapshots, hooks. */
  | 'not-conversation'
  /** Instructions of the other program to its model. */
  | 'instructions'
  /** The log of a sub-agent inside its parent's. */
  | 'sub-agent'
  /** A part of a kind that is not known, such as a block of a newer version. */
  | 'unknown-kind'
  | 'empty'
  /** An attachment that is not in the source, or not what its hash says. */
  | 'missing-attachment'
  | 'damaged-attachment'
  /** Imported before, in whole. */
  | 'already-imported'
  /** Began before the time that was asked for. */
  | 'before-date'
  /** Grown in its source since, and changed here as well. */
  | 'changed-here'
  /** Not the continuation of what was imported before. */
  | 'changed-source'
  | 'unknown-format'

/** Something that was left out, and where it stands. */
export interface Skip {
  readonly reason: SkipReason
  /** Line of the source, from 1; null where the format has no lines. */
  readonly line: number | null
  /** What it is, in words for a person. */
  readonly what: string
}

/** Takes note of what is left out. */
export type NoteSkip = (skip: Omit<Skip, 'line'>) => void
