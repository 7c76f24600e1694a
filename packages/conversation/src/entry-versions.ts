import * as z from 'zod'
import { ENTRY_TYPES, type Entry, type EntryType, NewEntry } from './entry.ts'
import { MalformedEntryError, NewerEntryError } from './entry-errors.ts'
import { Position } from './envelope.ts'

/** Turns the stored form of a kind of entry into its next version. */
export type Upcast = (stored: Readonly<Record<string, unknown>>) => Record<string, unknown>

/**
 * How older versions of each kind become the newest: the function at index 0 makes version 2 of
 * version 1, and so on. A kind without a row has had one version only. [LOG6]
 *
 * A row, once released, stays. Until the first release a kind has a second version only where its first one could be read
 * as something that nobody said.
 */
export const UPCASTS: Readonly<Partial<Record<EntryType, readonly Upcast[]>>> = {
  // The first version says `categories`: without that field an allow rule for some tools would be one for all. [PERM10]
  'permission-rule-changed': [renamedCategory],
}

/** The newest version of a kind of entry. */
export function newestVersion(type: EntryType, upcasts: typeof UPCASTS): number {
  return (upcasts[type]?.length ?? 0) + 1
}

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
  if (!isStoredEntry(stored)) throw new MalformedEntryError('Not an entry: it has no conversationId, seq, type and v')
  if (!isKnownType(stored.type)) throw new NewerEntryError(stored, `is of the unknown kind ${stored.type}`)
  const newest = newestVersion(stored.type, upcasts)
  if (stored.v > newest)
    throw new NewerEntryError(stored, `is version ${stored.v} of ${stored.type}; ${newest} is known here`)
  if (stored.v === newest) return trusted(stored)
  let body: Record<string, unknown> = { ...stored }
  for (const upcast of (upcasts[stored.type] ?? []).slice(stored.v - 1)) body = upcast(body)
  return { ...Position.parse({ ...stored, v: newest }), ...parseKnownFields(body) }
}

type StoredEntry = { conversationId: string; seq: number; type: string; v: number }

function isStoredEntry(value: unknown): value is StoredEntry {
  if (typeof value !== 'object' || value === null) return false
  if (!('conversationId' in value && 'seq' in value && 'type' in value && 'v' in value)) return false
  return (
    typeof value.conversationId === 'string' &&
    Number.isInteger(value.seq) &&
    typeof value.type === 'string' &&
    typeof value.v === 'number' &&
    Number.isInteger(value.v) &&
    value.v >= 1
  )
}

function isKnownType(type: string): type is EntryType {
  return knownTypes.has(type)
}

/** The checksum kept with the entry says that it is what `placeEntry` made. */
function trusted(stored: StoredEntry): Entry {
  return stored as Entry
}

function renamedCategory(stored: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { rule } = stored
  if (typeof rule !== 'object' || rule === null || !('categories' in rule)) return { ...stored }
  const { categories: category, ...others } = rule
  return { ...stored, rule: { ...others, category } }
}
