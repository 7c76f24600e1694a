import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Clock, EntryStore, NewEntry } from '@holdfast/conversation'
import { conversationCreated, wholeTurn } from '@holdfast/conversation/testing'
import { createSqliteStore } from '@holdfast/store/sqlite'

/** The machine's own clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs)
    return () => clearTimeout(timer)
  },
}

/** Gives an empty folder to `use` and removes it afterwards. */
export async function inTemporaryFolder<Result>(use: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-bench-'))
  try {
    return await use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Opens a SQLite store in a folder of its own for as long as `use` takes. */
export function withSqliteStore<Result>(use: (store: EntryStore, dataDir: string) => Promise<Result>): Promise<Result> {
  return inTemporaryFolder(async (folder) => {
    const dataDir = join(folder, 'data')
    const { store, close } = await createSqliteStore({ dataDir, clock: systemClock })
    try {
      return await use(store, dataDir)
    } finally {
      await close()
    }
  })
}

/** Words that a language model might write: 2,000 of them, from a fixed seed. */
export const VOCABULARY: readonly string[] = makeVocabulary()

/** A text of `length` words. The same number gives the same text. */
export function textOf(number: number, length: number): string {
  const words: string[] = []
  let state = (number + 1) * 2_654_435_761
  for (let index = 0; index < length; index++) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    // The square makes the first words of the vocabulary common and the last ones rare, as in a language.
    words.push(VOCABULARY[Math.floor((state / 2_147_483_648) ** 2 * VOCABULARY.length)] ?? 'word')
  }
  return words.join(' ')
}

/** Appends whole turns until the log has about `entryCount` entries, a thousand to an append. */
export function fillConversation(store: EntryStore, conversationId: string, entryCount: number): Promise<number> {
  return fillConversationOf(store, { conversationId, ownerId: 'user_1', entryCount })
}

/** Fills a conversation of somebody. */
export async function fillConversationOf(
  store: EntryStore,
  {
    conversationId,
    ownerId,
    entryCount,
  }: { readonly conversationId: string; readonly ownerId: string; readonly entryCount: number },
): Promise<number> {
  let head = 0
  let number = 0
  let batch: NewEntry[] = [conversationCreated(ownerId)]
  while (head + batch.length < entryCount) {
    batch.push(...wholeTurn(number, { asked: textOf(number, 12), answered: textOf(number + 1, 60) }))
    number += 1
    if (batch.length >= 1_000 || head + batch.length >= entryCount) {
      const { entries } = await store.append({ conversationId, after: head, entries: batch, at: 1_000 + number })
      head += entries.length
      batch = []
    }
  }
  return head
}

function makeVocabulary(): string[] {
  const syllables = ['ka', 'lo', 'mi', 'nu', 're', 'sa', 'to', 'vi', 'we', 'zu', 'bra', 'chi', 'dro', 'fel', 'gan']
  return Array.from({ length: 2_000 }, (_, number) => {
    const parts: string[] = []
    for (let rest = number + 15; rest > 0; rest = Math.floor(rest / 15)) parts.push(syllables[rest % 15] ?? '')
    return parts.join('')
  })
}
