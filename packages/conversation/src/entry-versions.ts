import * as z from 'zod'
import { ENTRY_TYPES, type Entry, type EntryType, NewEntry } from './entry.ts'
import { MalformedEntryError, NewerEntryError } from './entry-errors.ts'
import { Position } from './envelope.ts'
import { broughtUp, newestVersion, type StoredEntry, trusted, UPCASTS } from './upcasts.ts'

/** Puts a new entry at its place, with the newest version of its kind. */
export function placeEntry(entry: NewEntry, place: { conversationId: string; seq: number; at: number }): Entry {
  return { ...place, v: newestVersion(entry.type, UPCASTS), ...entry }
}

/**
 * Checks what is about to be appended. A field that its kind does not have is refused: it would be missing from a log that
 * never changes.
 *
 * @throws {MalformedEntryError} naming the path of each fault.
 */
export function parseNewEntry(value: unknown): NewEntry {
  const entry = parseKnownFields(value)
  const unknown = withinStack(() => fieldsLeftOut(value, entry, []))
  if (unknown.length > 0)
    throw new MalformedEntryError(`Not an entry: ${entry.type} has no ${unknown.map(inWords).join(', no ')}`)
  return entry
}

/**
 * The entry in what another program or version wrote, without the fields that are not known here.
 *
 * @throws {MalformedEntryError} naming the path of each fault.
 */
export function parseKnownFields(value: unknown): NewEntry {
  const parsed = withinStack(() => NewEntry.safeParse(value))
  if (!parsed.success) throw new MalformedEntryError(`Not an entry: ${z.prettifyError(parsed.error)}`)
  return parsed.data
}

type FieldPath = readonly (string | number)[]

/** Where the value has a field that what was parsed from it has not. */
function fieldsLeftOut(value: unknown, parsed: unknown, path: FieldPath): readonly FieldPath[] {
  if (value === parsed) return []
  if (Array.isArray(value) && Array.isArray(parsed))
    return value.flatMap((item, index) => fieldsLeftOut(item, parsed[index], [...path, index]))
  if (!isFields(value) || !isFields(parsed)) return []
  return Object.entries(value).flatMap(([name, field]) => {
    if (field === undefined) return []
    const place = [...path, name]
    return Object.hasOwn(parsed, name) ? fieldsLeftOut(field, parsed[name], place) : [place]
  })
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function inWords(path: FieldPath): string {
  return `"${z.core.toDotPath(path)}"`
}

/** JSON that is nested deeper than the stack is not an entry: it could not be written either. [SEC5] */
function withinStack<Found>(look: () => Found): Found {
  try {
    return look()
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new MalformedEntryError('Not an entry: it is nested too deeply', { cause: error })
  }
}

/** Whether a kind and version of a stored entry are those that would be written today. */
export function isNewest({ type, v }: Pick<StoredEntry, 'type' | 'v'>): boolean {
  return isKnown(type) && v === newestVersion(type, UPCASTS)
}

function isKnown(type: string): type is EntryType {
  return knownTypes.has(type)
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
  if (!isKnown(newest.type)) throw new NewerEntryError(newest, `is of the unknown kind ${newest.type}`)
  return newest === stored ? trusted(newest) : { ...Position.parse(newest), ...parseKnownFields(newest) }
}
