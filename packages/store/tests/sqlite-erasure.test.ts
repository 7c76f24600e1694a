import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BlobReference, EntryStore, NewEntry } from '@holdfast/conversation'
import {
  conversationCreated,
  fileSent,
  stepFinished,
  textBlock,
  titleChanged,
  userMessageSent,
  wholeTurn,
} from '@holdfast/conversation/testing'
import { describe, expect, it } from 'vitest'
import { newFolder, openForTest, writeLog } from './support/sqlite-harness.ts'

/** Letters only, so that the search index holds it as one word in the form in which it is written. */
const SECRET = 'zyxwvutsecretword'

describe('erasure in the files of the SQLite store', () => {
  it('[LOG9] leaves no byte of what was erased in any file, while the store is open', async () => {
    const dataDir = await newFolder()
    const { store } = await openForTest(dataDir)
    await fill(store)
    const seqs = await writeSecrets(store, dataDir)
    expect(await filesWith(dataDir, SECRET)).not.toEqual([])
    await store.erase({ conversationId: 'a', seqs, reason: 'asked for', at: 9_000 })
    expect(await filesWith(dataDir, SECRET)).toEqual([])
    expect(await filesWith(dataDir, 'harmlessword')).not.toEqual([])
  })

  it('[LOG9] leaves no byte of a deleted conversation in any file, while the store is open', async () => {
    const dataDir = await newFolder()
    const { store } = await openForTest(dataDir)
    await fill(store)
    await writeSecrets(store, dataDir)
    await store.deleteConversation('a', 9_000)
    expect(await filesWith(dataDir, SECRET)).toEqual([])
    expect(await filesWith(dataDir, 'harmlessword')).not.toEqual([])
  })

  it('[LOG9] leaves no byte of a file that two conversations had, once both are gone, though it was uploaded just now', async () => {
    const dataDir = await newFolder()
    const { store } = await openForTest(dataDir)
    await writeSecrets(store, dataDir)
    const again = await uploadSecret(store, 'upload_2', 8_000)
    await store.deleteConversation('a', 9_000)
    expect(await filesWith(dataDir, SECRET)).not.toEqual([])
    await append(store, 'c', [fileSent('run_1', 'upload_2', again)])
    await store.erase({ conversationId: 'c', seqs: [2], reason: 'asked for', at: 9_000 })
    expect(await filesWith(dataDir, SECRET)).toEqual([])
  })

  it('[LOG9] does not keep others from writing while it drives the words out', async () => {
    const dataDir = await newFolder()
    const { store } = await openForTest(dataDir)
    await fill(store)
    const seqs = await writeSecrets(store, dataDir)
    const erased = store.erase({ conversationId: 'a', seqs, reason: 'asked for', at: 9_000 })
    await writeLog(store, 'c', 30)
    expect((await erased).length).toBeGreaterThan(seqs.length - 1)
    expect(await filesWith(dataDir, SECRET)).toEqual([])
    expect((await store.check(new AbortController().signal)).damages).toEqual([])
  })
})

/** Other conversations, so that the search index has several parts. */
async function fill(store: EntryStore): Promise<void> {
  for (let number = 0; number < 20; number++) {
    const entries = wholeTurn(number, { asked: `harmlessword ${number}`, answered: `an answer ${number}` })
    await append(store, `b ${number}`, entries)
  }
}

/** A conversation that says the secret wherever it can be said; gives the entries that do. */
async function writeSecrets(store: EntryStore, dataDir: string): Promise<number[]> {
  const blob = await uploadSecret(store, 'upload_1', 1_000)
  await append(store, 'a', [
    userMessageSent('run_1', 'input_1', `I say ${SECRET}`),
    stepFinished('run_1', 'step_1', [textBlock(`You said ${SECRET} ${'and more '.repeat(2_000)}`)]),
    titleChanged(`All of ${SECRET}`, 'user'),
    fileSent('run_1', 'upload_1', blob),
  ])
  const lease = await store.acquireLease({ conversationId: 'a', holder: 'writer', ttlMs: 60_000 })
  const deltas = [{ stepId: 'step_1', block: 0, offset: 0, text: SECRET, start: { type: 'text' as const } }]
  await store.appendDrafts([
    { conversationId: 'a', runId: 'run_1', stepId: 'step_1', startedSeq: 99, epoch: lease?.epoch ?? 0, deltas },
  ])
  await store.writeSnapshots('a', [{ projection: 'overview', version: 1, cursor: 5, state: { title: SECRET } }])
  expect(await filesWith(dataDir, SECRET)).not.toEqual([])
  return [2, 3, 4, 5]
}

async function uploadSecret(store: EntryStore, uploadId: string, at: number): Promise<BlobReference> {
  const content = new TextEncoder().encode(`in a file: ${SECRET} `.repeat(100))
  return store.putBlob({
    uploadId,
    ownerId: 'user_1',
    conversationId: null,
    mediaType: 'text/plain',
    at,
    content: (async function* () {
      yield content
    })(),
  })
}

async function append(store: EntryStore, conversationId: string, entries: readonly NewEntry[]): Promise<void> {
  await store.append({ conversationId, after: 0, entries: [conversationCreated('user_1'), ...entries], at: 1_000 })
}

async function filesWith(dataDir: string, words: string): Promise<string[]> {
  const found: string[] = []
  for (const file of await readdir(dataDir)) {
    if ((await readFile(join(dataDir, file))).includes(words)) found.push(file)
  }
  return found
}
