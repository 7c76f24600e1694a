import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FileChange } from '@holdfast/tool'
import { FileRefusal, netChanges, type ReadBlob } from '@holdfast/toolbox'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { restoreChanges } from '../src/files/restore-changes.ts'
import { rejectAll, review } from './support/review.ts'
import { openWorkbench, type Workbench } from './support/workbench.ts'

let bench: Workbench
beforeEach(async () => {
  bench = await openWorkbench()
})
afterEach(() => bench.close())

const readBlob: ReadBlob = async ({ hash }) => {
  const bytes = bench.blobs.get(hash)
  if (!bytes) throw new Error(`No blob ${hash}`)
  return bytes
}

const call = { callId: 'call_restore', signal: new AbortController().signal }
const restore = (changes = [...bench.changes]) =>
  rejectAll(bench.workspace, changes, { readBlob, ports: bench.ports, call, meanwhile: 'restore' })
const NO_END = '\\ No newline at end of file'
const disk = (path: string) => readFileSync(join(bench.root, path), 'utf8')

/** What all places that a set of changes touched show. */
async function shownOf(changes: readonly FileChange[]) {
  const files = await review(bench.workspace, changes, { readBlob, signal: call.signal })
  return new Map(files.map((file) => [file.path, { ...file, lines: file.hunks.flatMap(({ lines }) => lines) }]))
}

/** A turn that changes, creates, moves and deletes. */
async function makeTurn(): Promise<void> {
  bench.put('changed.txt', '\ufeffone\r\ntwo\r\n')
  bench.put('gone/deep.txt', 'deep')
  bench.put('moved.txt', 'moved')
  await bench.say('read', { path: 'changed.txt' })
  await bench.say('edit', { path: 'changed.txt', old_text: 'two', new_text: 'three' })
  await bench.say('edit', { path: 'changed.txt', old_text: 'three', new_text: 'four' })
  await bench.say('write', { path: 'made/new.txt', content: 'new' })
  await bench.say('delete', { path: 'gone' })
  await bench.say('move', { from: 'moved.txt', to: 'made/moved.txt' })
}

describe('a change set', () => {
  it('[WS1] is told all in all, by file', async () => {
    await makeTurn()
    expect(
      netChanges(bench.changes).map(({ path, before, after }) => [
        path,
        before?.blob?.sizeBytes,
        after?.blob?.sizeBytes,
      ]),
    ).toEqual([
      ['changed.txt', 13, 14],
      ['made', undefined, undefined],
      ['made/new.txt', undefined, 3],
      ['gone/deep.txt', 4, undefined],
      ['gone', undefined, undefined],
      ['moved.txt', 5, undefined],
      ['made/moved.txt', undefined, 5],
    ])
    await bench.say('write', { path: 'brief.txt', content: 'x' })
    await bench.say('delete', { path: 'brief.txt' })
    expect(netChanges(bench.changes).map(({ path }) => path)).not.toContain('brief.txt')
  })

  it('[WS1] is shown by its lines, with files that are no text by their sizes', async () => {
    await makeTurn()
    const shown = await shownOf(bench.changes)
    expect(shown.get('changed.txt')).toMatchObject({ status: 'changed', additions: 1, deletions: 1 })
    expect(shown.get('changed.txt')?.lines).toEqual([' \ufeffone\r', '-two\r', '+four\r'])
    expect(shown.get('made/new.txt')).toMatchObject({ status: 'added', lines: ['+new', NO_END] })
    expect(shown.get('gone/deep.txt')).toMatchObject({ status: 'deleted', lines: ['-deep', NO_END] })
    expect(shown.get('made/moved.txt')).toMatchObject({ status: 'renamed', from: 'moved.txt', lines: [] })
    bench.put('b.bin', Buffer.from([0, 1, 2]))
    await bench.say('delete', { path: 'b.bin' })
    expect((await shownOf(bench.changes.slice(-1))).get('b.bin')).toMatchObject({
      bytes: { before: 3, after: null },
      hunks: [],
    })
  })

  it('[WS1, WS24] takes bounded time for texts that have nothing in common, and says so where they are too long to show', async () => {
    const lines = (word: string) => Array.from({ length: 100_000 }, (_, index) => `${word}${index} of many\n`).join('')
    bench.put('big.txt', lines('a'))
    await bench.say('read', { path: 'big.txt' })
    await bench.say('write', { path: 'big.txt', content: lines('b') })
    const big = (await shownOf(bench.changes)).get('big.txt')
    expect(big).toMatchObject({ additions: 100_000, deletions: 100_000 })
  })

  it('[WS1] is restored byte for byte, and the restoration is a change set that can be restored', async () => {
    await makeTurn()
    expect(await restore()).toMatchObject({ conflicts: [], restored: { length: 7 } })
    expect(disk('changed.txt')).toBe('\ufeffone\r\ntwo\r\n')
    expect(disk('gone/deep.txt')).toBe('deep')
    expect(disk('moved.txt')).toBe('moved')
    expect(existsSync(join(bench.root, 'made'))).toBe(false)
    await restore(bench.changes.slice(-7))
    expect(disk('made/new.txt')).toBe('new')
    expect(disk('changed.txt')).toBe('\ufeffone\r\nfour\r\n')
    expect(existsSync(join(bench.root, 'gone'))).toBe(false)
  })

  it('[WS1] leaves alone what something else changed since, says so, and restores the rest', async () => {
    await makeTurn()
    writeFileSync(join(bench.root, 'changed.txt'), 'mine')
    writeFileSync(join(bench.root, 'moved.txt'), 'also mine')
    const { restored, conflicts } = await restore()
    expect(conflicts.map(({ path }) => path)).toEqual(['changed.txt', 'moved.txt'])
    expect(conflicts[0]?.reason).toContain('something else changed it since')
    expect(restored).toEqual(['made/new.txt', 'made/moved.txt', 'made', 'gone', 'gone/deep.txt'])
    expect(disk('changed.txt')).toBe('mine')
    expect(disk('moved.txt')).toBe('also mine')
  })

  it('[WS1] is planned without a change: what each file becomes, its diff, and what stands against it', async () => {
    await makeTurn()
    writeFileSync(join(bench.root, 'made/moved.txt'), 'mine')
    await bench.say('write', { path: 'later.txt', content: 'x' })
    rmSync(join(bench.root, 'later.txt'))
    const before = bench.changes.length
    const { signal } = call
    const planned = await review(bench.workspace, bench.changes, { readBlob, signal })
    expect(planned.map(({ path, act, conflict }) => [path, act, conflict])).toEqual([
      ['made/new.txt', 'delete', null],
      ['made/moved.txt', 'nothing', expect.stringContaining('something else changed it since')],
      ['later.txt', 'nothing', null],
      ['made', 'delete', null],
      ['gone', 'create', null],
      ['changed.txt', 'change', null],
      ['gone/deep.txt', 'create', null],
    ])
    expect(planned.find(({ path }) => path === 'changed.txt')?.hunks[0]?.lines).toContain('+four\r')
    expect(bench.changes).toHaveLength(before)
    expect(disk('changed.txt')).toContain('four')
  })

  it('[WS1] leaves alone what something else changed in between, though its last state is what the changes left', async () => {
    bench.put('a.txt', 'one')
    await bench.say('read', { path: 'a.txt' })
    await bench.say('edit', { path: 'a.txt', old_text: 'one', new_text: 'two' })
    writeFileSync(join(bench.root, 'a.txt'), 'two and mine')
    await bench.say('read', { path: 'a.txt' })
    await bench.say('edit', { path: 'a.txt', old_text: 'two', new_text: 'three' })
    const { restored, conflicts } = await restore()
    expect(restored).toEqual([])
    expect(conflicts[0]?.reason).toContain('between these changes')
    expect(disk('a.txt')).toBe('three and mine')
  })

  it('[WS1] brings back files of a folder in whose place a file was made', async () => {
    bench.put('thing/deep.txt', 'deep')
    await bench.say('delete', { path: 'thing' })
    await bench.say('write', { path: 'thing', content: 'flat' })
    const planned = await review(bench.workspace, bench.changes, { readBlob, signal: call.signal })
    expect(planned.map(({ path, act }) => [path, act])).toEqual([
      ['thing', 'change'],
      ['thing/deep.txt', 'create'],
    ])
    expect(await restore()).toMatchObject({ conflicts: [] })
    expect(disk('thing/deep.txt')).toBe('deep')
  })

  it('[WS1] deletes nothing because what stood there was not kept', async () => {
    bench.put('a.txt', 'one')
    await bench.say('read', { path: 'a.txt' })
    await bench.say('edit', { path: 'a.txt', old_text: 'one', new_text: 'two' })
    const { restored, conflicts } = await restore(bench.changes.map(({ before: _, ...change }) => change))
    expect(restored).toEqual([])
    expect(conflicts[0]?.reason).toContain('is not kept')
    expect(disk('a.txt')).toBe('two')
  })

  it('[WS1] tells what was restored before a body could not be read, and before the time was over', async () => {
    await makeTurn()
    const turn = [...bench.changes]
    const lost = turn.find(({ path }) => path === 'moved.txt')?.before?.hash ?? ''
    const gone: ReadBlob = async (blob) => {
      if (blob.hash !== lost) return readBlob(blob)
      throw new FileRefusal({ code: 'not-found', path: 'moved.txt', message: 'It is gone.' })
    }
    const planned = await review(bench.workspace, turn, { readBlob: gone, signal: call.signal })
    const moved = planned.find(({ path }) => path === 'made/moved.txt')
    expect(moved).toMatchObject({ act: 'nothing', conflict: 'It is gone.' })
    const limit = new AbortController()
    const slow: ReadBlob = async (blob) => {
      if (blob.hash === lost) limit.abort()
      return readBlob(blob)
    }
    const options = {
      readBlob: slow,
      ports: bench.ports,
      call: { ...call, signal: limit.signal },
      meanwhile: 'leave' as const,
    }
    const { restored, conflicts } = await restoreChanges(bench.workspace, netChanges(turn), options)
    expect(restored).toEqual(['made/new.txt', 'made/moved.txt', 'made', 'gone', 'changed.txt', 'gone/deep.txt'])
    expect(conflicts).toEqual([{ path: 'moved.txt', reason: expect.stringContaining('not reached in time') }])
  })

  it('[WS1] is restored twice without harm: what is there already stays', async () => {
    await makeTurn()
    const turn = [...bench.changes]
    await restore(turn)
    const after = bench.changes.length
    expect(await restore(turn)).toMatchObject({ conflicts: [] })
    expect(bench.changes).toHaveLength(after)
  })
})
