import type { WrittenFiles } from '@holdfast/engine'
import { systemClock } from '@holdfast/engine/system'
import { createMemoryStore } from '@holdfast/store/memory'
import type { FileChange } from '@holdfast/tool'
import { createKnownFiles, type FileReader } from '@holdfast/workbench'
import { expect, it } from 'vitest'
import * as z from 'zod'

const { records } = createMemoryStore({ clock: systemClock })
const HASH = 'a'.repeat(64)
const first: FileReader = { conversationId: 'first', ownerId: 'user_1' }
const second: FileReader = { conversationId: 'second', ownerId: 'user_1' }

/** What is known in one folder; another start of the program reads it anew. */
function open(root: string, hasAccounts = false) {
  const start = () => createKnownFiles({ records, clock: systemClock, folderOf: () => root, hasAccounts })
  const known = start()
  return {
    note: (how: WrittenFiles['how'], changes: readonly FileChange[], by = first) =>
      known.note({ ...by, settings: {}, changes, how, by: 'shell' }),
    async isStrangers(path: string, reader: FileReader, hash: string | null = null) {
      return (
        (await start()
          .seenBy(reader)
          .strangerAt({ absolutePath: `${root}/${path}`, hash })) !== null
      )
    },
    restored: (changes: readonly FileChange[]) => known.restored({ ownerId: 'user_1', settings: {}, changes }),
    isBelow: (reader: FileReader) => start().seenBy(reader).hasStrangersBelow(root),
  }
}

const created = (path: string, more: Partial<FileChange> = {}): FileChange => ({ path, kind: 'created', ...more })
const body = { hash: HASH, sizeBytes: 1, mediaType: 'text/plain' }

it('[PERM7] what a call brought is strangers’ for every conversation, by its path and its content, after a restart too', async () => {
  const { note, isStrangers, isBelow } = open('/one')
  expect(await isBelow(first)).toBe(false)
  await note('brought', [created('page.html', { after: body })])
  for (const reader of [first, second]) {
    expect(await isStrangers('page.html', reader)).toBe(true)
    expect(await isStrangers('copied.html', reader, HASH)).toBe(true)
    expect(await isStrangers('mine.html', reader, 'b'.repeat(64))).toBe(false)
    expect(await isBelow(reader)).toBe(true)
  }
  await note('own', [created('page.html')], second)
  expect(await isStrangers('page.html', second)).toBe(true)
  await note('own', [{ path: 'page.html', kind: 'deleted' }], second)
})

it('[PERM7] what a person brought back is theirs again, but for contents that strangers wrote', async () => {
  const { note, isStrangers, restored } = open('/five')
  const [theirs, mine] = ['c', 'd'].map((letter) => ({ ...body, hash: letter.repeat(64) }))
  if (!theirs || !mine) throw new Error('two bodies')
  await note('brought', [created('a.txt', { after: theirs })])
  await note('brought', [{ path: 'a.txt', kind: 'changed', after: { ...body, hash: 'e'.repeat(64) } }])
  await restored([{ path: 'a.txt', kind: 'changed', after: theirs }])
  expect(await isStrangers('a.txt', second, theirs.hash)).toBe(true)
  await restored([{ path: 'a.txt', kind: 'changed', after: mine }])
  expect(await isStrangers('a.txt', second, mine.hash)).toBe(false)
  expect(await isStrangers('copy.txt', second, theirs.hash)).toBe(true)
})

it('[PERM7] what a model wrote after it had read strangers is theirs for other conversations', async () => {
  const { note, isStrangers } = open('/two')
  await note('written', [created('notes.md')])
  expect(await isStrangers('notes.md', first)).toBe(false)
  expect(await isStrangers('notes.md', second)).toBe(true)
  await note('written', [{ path: 'notes.md', kind: 'deleted' }])
  expect(await isStrangers('notes.md', second)).toBe(false)
})

it('[PERM7] a folder is theirs whole where not all that came into it is listed', async () => {
  const { note, isStrangers } = open('/three')
  await note('brought', [created('made', { entity: 'folder' }), created('made/a')])
  expect(await isStrangers('made/mine', second)).toBe(false)
  const more: FileChange = { path: '.', kind: 'changed', entity: 'folder', notKept: 'too-many' }
  await note('brought', [created('clone', { entity: 'folder' }), more])
  await note('brought', [created('dist', { entity: 'folder', notKept: 'left-out' })])
  expect(await isStrangers('clone/deep/file', second)).toBe(true)
  expect(await isStrangers('dist/file', second)).toBe(true)
})

it('[PERM7] where several people share a folder, what the agents of one wrote is a stranger’s to the others', async () => {
  const other: FileReader = { conversationId: 'third', ownerId: 'user_2' }
  await open('/four').note('own', [created('plan.md')])
  expect(await open('/four', true).isStrangers('plan.md', other)).toBe(false)
  await open('/four', true).note('own', [created('plan.md')])
  expect(await open('/four', true).isStrangers('plan.md', other)).toBe(true)
  expect(await open('/four', true).isStrangers('plan.md', second)).toBe(false)
})

it('[LOG9] keeps no name of a file or folder, and takes over what was kept by its path', async () => {
  const stored = createMemoryStore({ clock: systemClock }).records
  const start = () =>
    createKnownFiles({ records: stored, clock: systemClock, folderOf: () => '/secret', hasAccounts: false })
  const old = {
    path: '/secret/old-name.txt',
    hash: null,
    whole: false,
    how: 'brought',
    conversationId: 'first',
    ownerId: 'user_1',
    by: 'shell',
  } as const
  const byPath = { kind: 'strangers-file', schema: z.record(z.string(), z.json()) }
  await stored.put(byPath, { ownerId: 'installation', id: old.path, revision: 0, value: old, at: 1 })
  const changes = [created('folder/new-name.txt', { after: body })]
  await start().note({ conversationId: 'first', ownerId: 'user_1', settings: {}, changes, how: 'brought', by: 'shell' })
  const seen = start().seenBy(second)
  for (const name of ['old-name.txt', 'folder/new-name.txt'])
    expect(await seen.strangerAt({ absolutePath: `/secret/${name}`, hash: null })).toEqual({ key: null })
  expect(await seen.hasStrangersBelow('/secret/folder')).toBe(true)
  expect(await stored.list(byPath, { ownerId: 'installation', limit: 10 })).toEqual([])
  const kind = { kind: 'strangers-place', schema: z.record(z.string(), z.json()) }
  const kept = await stored.list(kind, { ownerId: 'installation', limit: 10 })
  expect(kept).toHaveLength(2)
  expect(JSON.stringify(kept)).not.toMatch(/secret|folder|name/)
})
