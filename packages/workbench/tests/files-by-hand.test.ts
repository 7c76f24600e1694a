import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { WrittenFiles } from '@holdfast/engine'
import { systemClock } from '@holdfast/engine/system'
import type { BlobSink, FileChange, ToolContext } from '@holdfast/tool'
import { createFolderWatch, createSurveyor } from '@holdfast/toolbox'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createFilesByHand } from '../src/files-by-hand.ts'
import { createPlaces } from '../src/places.ts'

let top = ''
beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'holdfast-files-by-hand-')))
  mkdirSync(join(top, 'work'))
  mkdirSync(join(top, 'data'))
})
afterEach(() => rmSync(top, { recursive: true, force: true }))

const place = { ownerId: 'ann', conversationId: 'c1', settings: { workspaceId: 'w1' } }
const signal = new AbortController().signal
const blobSink: BlobSink = {
  async keep(content, { mediaType }) {
    let sizeBytes = 0
    for await (const piece of content) sizeBytes += piece.byteLength
    return { hash: 'f'.repeat(64), sizeBytes, mediaType }
  },
}

function open({ mayUse }: { readonly mayUse: () => boolean }) {
  const noted: WrittenFiles[] = []
  const roots = { rootOf: () => (mayUse() ? join(top, 'work') : null), worktreeOf: () => null }
  const places = createPlaces({ roots, closed: [] })
  const surveyor = createSurveyor({ folder: join(top, 'data'), clock: systemClock })
  const watch = createFolderWatch({ surveyor, clock: systemClock })
  const knownFiles = { note: async (written: WrittenFiles) => void noted.push(written) }
  const files = createFilesByHand({ places, machine: () => null, git: null, watch, knownFiles, clock: systemClock })
  return { files, places, watch, noted }
}

it('[WS19] what a person saves while a command runs is not said to be of the command', async () => {
  const { files, places, watch, noted } = open({ mayUse: () => true })
  writeFileSync(join(top, 'work/mine.txt'), 'before')
  const { hash } = await files.open(place, { path: 'mine.txt', range: null })
  const call = watch.watch({
    workspace: places.workspaceAt(join(top, 'work')),
    blobSink,
    isBusy: () => false,
    name: null,
  })
  const reported: FileChange[] = []
  const report: ToolContext['report'] = (message) => {
    if (message.type === 'files-changed') reported.push(...message.changes)
  }
  try {
    await call.around({ callId: 'call', report }, async () => {
      await files.save(place, { path: 'mine.txt', bytes: Buffer.from('of the person'), expected: hash }, signal)
      writeFileSync(join(top, 'work/of-the-command.txt'), 'x')
    })
  } finally {
    await watch.close()
  }
  expect(reported.map(({ path }) => path)).toEqual(['of-the-command.txt'])
  expect(readFileSync(join(top, 'work/mine.txt'), 'utf8')).toBe('of the person')
  // Where several people use one folder, it is another's word to the agents of the others.
  expect(noted.map(({ ownerId, how, changes }) => [ownerId, how, changes.map(({ path }) => path)])).toEqual([
    ['ann', 'own', ['mine.txt']],
  ])
})

it('[WS16] a right that is taken away counts at the next look', async () => {
  let isOpen = true
  const { files, watch } = open({ mayUse: () => isOpen })
  writeFileSync(join(top, 'work/a.txt'), 'a')
  const { hash } = await files.open(place, { path: 'a.txt', range: null })
  isOpen = false
  const gone = { code: 'not-found', message: 'The folder is not there any more, or is not open to you.' }
  await expect(files.list(place, { path: '.', from: 0, limitCount: 1 })).rejects.toMatchObject(gone)
  await expect(files.open(place, { path: 'a.txt', range: null })).rejects.toMatchObject(gone)
  await expect(files.search(place, 'a', signal)).rejects.toMatchObject(gone)
  await expect(files.marks(place)).rejects.toMatchObject(gone)
  await expect(files.wait(place, { seen: [], limitMs: 0 }, signal)).rejects.toMatchObject(gone)
  await expect(
    files.save(place, { path: 'a.txt', bytes: Buffer.from('b'), expected: hash }, signal),
  ).rejects.toMatchObject(gone)
  expect(readFileSync(join(top, 'work/a.txt'), 'utf8')).toBe('a')
  await watch.close()
})

it('[WS16] a folder that went away is said to be gone', async () => {
  const { files, watch } = open({ mayUse: () => true })
  await files.list(place, { path: '.', from: 0, limitCount: 1 })
  rmSync(join(top, 'work'), { recursive: true })
  await expect(files.list(place, { path: '.', from: 0, limitCount: 1 })).rejects.toMatchObject({ code: 'not-found' })
  await watch.close()
})
