import type { Append, Appended, EntryStore, NewEntry } from '@holdfast/conversation'
import type { PlantedBug } from './planted-bug.ts'

/** What sits between an engine and its store. */
export type Plant = NonNullable<PlantedBug['store']>

/** Appends in another way than it was asked to. */
export function withAppend(append: (append: Append, store: EntryStore) => Promise<Appended>): Plant {
  return (store) => ({ ...store, append: (asked) => append(asked, store) })
}

/** Writes something else than it was asked to, entry by entry. */
export function changedEntries(change: (entry: NewEntry) => readonly NewEntry[]): Plant {
  return withAppend(async (append, store) => {
    const changed = append.entries.flatMap(change)
    if (changed.length > 0 || append.command !== undefined) return store.append({ ...append, entries: changed })
    return { entries: [], repeated: false }
  })
}
