import type { ImportOptions } from './import-event.ts'
import type { ImportNotes } from './import-notes.ts'

/** What an import has done so far. */
export interface ImportRun {
  readonly options: ImportOptions
  readonly notes: ImportNotes
  /** Conversations that this source has begun: one source has each only once. */
  readonly seen: Set<string>
  format: string | null
  conversations: number
  updated: number
  alreadyThere: number
  /** Conversations that were not brought up to date. */
  unchanged: number
  entries: number
  characters: number
}

/** The name of the source for conversations that name themselves nothing. */
export function fallbackName({ options, seen }: ImportRun): string {
  return `${options.name}#${seen.size}`
}
