import { isNewest, NewEntry, NewerEntryError, placeEntry } from '@holdfast/conversation'
import { conversationCreated, titleChanged } from '@holdfast/conversation/testing'
import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { entryChecksum } from '../src/shared/checksum.ts'
import { pageText } from '../src/shared/page-text.ts'
import { toEntryRow } from '../src/shared/prepare-append.ts'
import { storeFiles } from '../src/sqlite/files/files.ts'
import { newFolder, openForTest } from './support/sqlite-harness.ts'

const ID = 'a "quoted" conversation of the Öffentlichkeit \u2028'

it('[LOG37] an entry of every kind begins with its type, so that a page of it can be handed on as it stands', () => {
  for (const { shape } of NewEntry.options) expect(Object.keys(shape)[0], shape.type.value).toBe('type')
})

it('[LOG7, LOG37] a page of rows is their bodies, and none where one is missing, changed, at another place, or no text', () => {
  const entries = [conversationCreated('user_1'), titleChanged('Größe {"a":1}', 'user')]
  const rows = entries.map((entry, index) =>
    toEntryRow(placeEntry(entry, { conversationId: ID, seq: index + 1, at: 7 })),
  )
  const page = { conversationId: ID, head: 2, from: 1, to: 2, rows }
  const text = pageText(page)
  expect(JSON.parse(Buffer.from(text?.bytes ?? []).toString())).toEqual({
    entries: rows.map(({ body }) => JSON.parse(body)),
    head: 2,
  })
  expect(text?.kinds.every(isNewest)).toBe(true)
  const [first, second] = rows
  if (!first || !second) throw new Error('Two rows were made')
  for (const bad of [
    [first],
    [second, first],
    [first, { ...second, body: second.body.replace('a', 'b') }],
    [first, { ...second, body: 'not JSON', checksum: entryChecksum({ conversationId: ID, seq: 2 }, 'not JSON') }],
    [first, JSON.parse(JSON.stringify({ ...second, body: null }))],
  ])
    expect(pageText({ ...page, rows: bad }), JSON.stringify(bad)).toBeNull()
})

it('[LOG6, LOG37] a page is handed on as it stands in the store; what is older is brought up to date, and what is newer refused', async () => {
  const dataDir = await newFolder()
  const { store, close } = await openForTest(dataDir)
  const entries = [conversationCreated('user_1'), titleChanged('Tides', 'user')]
  await store.append({ conversationId: ID, after: 0, entries, at: 1 })
  const writtenAs = (change: (body: string) => string) => {
    const database = new Database(storeFiles(dataDir).database)
    const { body } = database.prepare<[], { body: string }>('SELECT body FROM entries WHERE seq = 2').get() ?? {
      body: '',
    }
    const changed = change(body)
    const checksum = entryChecksum({ conversationId: ID, seq: 2 }, changed)
    database.prepare('UPDATE entries SET body = ?, checksum = ? WHERE seq = 2').run(changed, checksum)
    database.close()
  }
  const query = { conversationId: ID, after: 0, limit: 10 }
  const text = async () => Buffer.from(await store.readText(query)).toString()
  writtenAs((body) => body.replace(/}$/, ' }'))
  expect(await text()).toContain(' }],"head":2}')
  writtenAs((body) => body.replace('"title-changed"', '"title-sung"'))
  await expect(text()).rejects.toThrow(NewerEntryError)
  writtenAs((body) => body.replace('"title-sung"', '"title-changed"').replace('"v":1', '"v":2'))
  await expect(text()).rejects.toThrow(NewerEntryError)
  await close()
})
