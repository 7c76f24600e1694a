import * as z from 'zod'
import { ENTRY_TYPES, type Entry, NewEntry } from './entry.ts'
import { MalformedEntryError, NewerEntryError } from './entry-errors.ts'
import { Position } from './envelope.ts'
import { broughtUp, newestVersion, trusted, UPCASTS } from './upcasts.ts'

/** Puts a new entry at its place, with the newest version of its kind. */
export function placeEntry(entry: NewEntry, place: { conversationId: string; seq: number; at: number }): Entry {
  return { ...place, v: newestVersion(entry.type, UPCASTS), ...entry }
}

/**
 * Checks what is about to be appended.
 *
 * @throws {MalformedEntryError} naming the path of each fault.
 */
export function parseNewEntry(value: unknown): NewEntry {
  const parsed = parsedEntry(value)
  if (!parsed.success) throw new MalformedEntryError(`Not an entry: ${z.prettifyError(parsed.error)}`)
  return parsed.data
}

/** JSON that is nested deeper than the stack is not an entry: it could not be written either. [SEC5] */
function parsedEntry(value: unknown): ReturnType<typeof NewEntry.safeParse> {
  try {
    return NewEntry.safeParse(value)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new MalformedEntryError('Not an entry: it is nested too deeply', { cause: error })
  }
}

const knownTypes: ReadonlySet<string> = new Set(ENTRY_TYPES)

/**
 * Reads the stored form of an entry, of any version up to the newest.
 *
 * What we wrote in the newest version is trusted: whoever stores it keeps a checksum. An older
 * version is brought up to date and checked.
 *
 * @throws {NewerEntryError} when its kind or version is not known here.
 * @throws {MalformedEntryError} when it is no entry.
 */
export function readStoredEntry(stored: unknown, upcasts: typeof UPCASTS): Entry {
  const newest = broughtUp(stored, upcasts)
  if (!knownTypes.has(newest.type)) throw new NewerEntryError(newest, `is of the unknown kind ${newest.type}`)
  return newest === stored ? trusted(newest) : { ...Position.parse(newest), ...parseNewEntry(newest) }
}
