import { expect } from 'vitest'
import type { Entry, NewEntry } from '../../entry.ts'
import type { Append, PageQuery } from '../../store/entry-log.ts'
import type { EntryStore } from '../../store/entry-store.ts'
import { conversationCreated, inputAdmitted } from '../entries.ts'

/** The owner of the conversations that suites make. */
export const OWNER = 'user_1'

/** An append of inputs that say these words, to a log that ends at `after`. */
export function inputs(conversationId: string, after: number, words: readonly string[]): Append {
  const entries = words.map((text, index) => inputAdmitted(`input_${after}_${index}`, text))
  return { conversationId, after, entries, at: 1_000 + after }
}

/** An append that begins a log of `OWNER`, followed by `entries`. */
export function beginning(conversationId: string, entries: readonly NewEntry[]): Append {
  return { conversationId, after: 0, entries: [conversationCreated(OWNER), ...entries], at: 1_000 }
}

/** Begins a log of `OWNER` with these entries after `conversation-created`. */
export async function begin(
  store: EntryStore,
  conversationId: string,
  entries: readonly NewEntry[],
): Promise<readonly Entry[]> {
  return (await store.append(beginning(conversationId, entries))).entries
}

/** Appends where the log ends. For tests without a second writer. */
export async function appendNext(
  store: EntryStore,
  conversationId: string,
  entries: readonly NewEntry[],
): Promise<readonly Entry[]> {
  const { head } = await store.read({ conversationId, after: 0, limit: 1 })
  return (await store.append({ conversationId, after: head, entries, at: 1_000 + head })).entries
}

/** The whole log, read in pages. */
export async function readLog(store: EntryStore, conversationId: string): Promise<Entry[]> {
  return allPages(async (last: Entry | undefined) => {
    const query = { conversationId, after: last?.seq ?? 0, limit: 500 }
    const page = await store.read(query)
    expect(await readAsText(store, query)).toEqual(page)
    return page.entries
  })
}

/** What a page says that is handed on as text. */
export async function readAsText(store: EntryStore, query: PageQuery): Promise<unknown> {
  return JSON.parse(new TextDecoder().decode(await store.readText(query)))
}

/** More pages than any test has: a store whose pages have no end fails instead of running on. */
const MOST_PAGES = 1_000

/** Reads page after page, each after the last item of the one before, until one is empty. */
export async function allPages<Item>(readPage: (last: Item | undefined) => Promise<readonly Item[]>): Promise<Item[]> {
  const items: Item[] = []
  for (let number = 0; number < MOST_PAGES; number++) {
    const page = await readPage(items.at(-1))
    if (page.length === 0) return items
    items.push(...page)
  }
  throw new Error(`There is still no end after ${MOST_PAGES} pages`)
}

/** The value of a promise that must fail with an error of this class. */
export async function errorOf<Failure extends Error>(
  promise: Promise<unknown>,
  kind: abstract new (...args: never[]) => Failure,
): Promise<Failure> {
  const outcome = await promise.then(
    () => new Error('It was expected to be refused, and was not'),
    (error: unknown) => error,
  )
  if (outcome instanceof kind) return outcome
  throw outcome
}

/** A promise whose value is known not to matter yet: split into those that were kept and those refused. */
export async function settled<Value>(
  promises: readonly Promise<Value>[],
): Promise<{ readonly kept: readonly Value[]; readonly refused: readonly unknown[] }> {
  const results = await Promise.allSettled(promises)
  return {
    kept: results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : [])),
    refused: results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : [])),
  }
}
