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

/** Whether a source of this format is taken; what is not is noted. */
export function takesFormat({ options: { only }, notes }: ImportRun, format: string): boolean {
  const wanted = only?.format ?? null
  if (wanted === null || wanted === format) return true
  notes.note({ reason: 'unknown-format', what: `The source is of the format ${format}, and ${wanted} was asked for` })
  return false
}

/** Whether a conversation that began then is taken; one that is not is noted. */
export function takesTime({ options: { only }, notes }: ImportRun, sourceId: string, at: number): boolean {
  const since = only?.since ?? null
  if (since === null || at >= since) return true
  notes.note({ reason: 'before-date', what: `Conversation ${sourceId} began before ${new Date(since).toISOString()}` })
  return false
}
