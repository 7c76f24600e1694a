import type { Entry, EntryType } from './entry.ts'
import { MalformedEntryError, NewerEntryError } from './entry-errors.ts'

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
  return upcastsOf(type, upcasts).length + 1
}

/** What is stored of any entry, whatever its kind and version. */
export interface StoredEntry {
  readonly conversationId: string
  readonly seq: number
  readonly type: string
  readonly v: number
}

/**
 * The stored form of an entry in the newest version of its kind: the same object where it has that already.
 *
 * @throws {NewerEntryError} when its version is not known here.
 * @throws {MalformedEntryError} when it is no entry.
 */
export function broughtUp(stored: unknown, upcasts: typeof UPCASTS): StoredEntry {
  if (!isStoredEntry(stored)) throw new MalformedEntryError('Not an entry: it has no conversationId, seq, type and v')
  const { conversationId, seq, type, v } = stored
  const steps = upcastsOf(type, upcasts)
  const newest = steps.length + 1
  if (v > newest) throw new NewerEntryError(stored, `is version ${v} of ${type}; ${newest} is known here`)
  if (v === newest) return stored
  let body: Record<string, unknown> = { ...stored }
  for (const upcast of steps.slice(v - 1)) body = upcast(body)
  return { ...body, conversationId, seq, type, v: newest }
}

/**
 * The entry of a stored form, for who has no schemas: one of an older version is brought up to date and not checked.
 *
 * @throws what `broughtUp` throws. A kind that is not known here is none of those that are looked for.
 */
export function readTrustedEntry(stored: unknown, upcasts: typeof UPCASTS): Entry {
  return trusted(broughtUp(stored, upcasts))
}

/** The checksum kept with the entry says that it is what `placeEntry` made. */
export function trusted(stored: StoredEntry): Entry {
  return stored as Entry
}

function upcastsOf(type: string, upcasts: typeof UPCASTS): readonly Upcast[] {
  for (const [kind, steps] of Object.entries(upcasts)) if (kind === type) return steps
  return []
}

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

function renamedCategory(stored: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { rule } = stored
  if (typeof rule !== 'object' || rule === null || !('categories' in rule)) return { ...stored }
  const { categories: category, ...others } = rule
  return { ...stored, rule: { ...others, category } }
}
