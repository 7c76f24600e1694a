import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createFolderWatch, createSurveyor, type FolderWatch, type ReadBlob } from '@holdfast/toolbox'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { rejectAll } from './support/review.ts'
import { systemClock } from './support/system-clock.ts'
import { callTool, openWorkbench, type Workbench } from './support/workbench.ts'

let bench: Workbench
let folder: string
let watch: FolderWatch

beforeEach(async () => {
  bench = await openWorkbench()
  folder = mkdtempSync(join(tmpdir(), 'holdfast-surveys-'))
  watch = createFolderWatch({ surveyor: createSurveyor({ folder, clock: systemClock }), clock: systemClock })
})

afterEach(async () => {
  await watch.close()
  await bench.close()
  rmSync(folder, { recursive: true })
})

const leftOf = (callId: string, name: string) =>
  watch.left({ workspace: bench.workspace, blobSink: bench.ports.blobSink, name, callIds: [callId] })

/** Runs a command in a process of its own, which is killed in it. */
async function killedInCommand(): Promise<void> {
  const ready = join(bench.root, '..', 'ready')
  const program = join(import.meta.dirname, 'support', 'killed-in-command.ts')
  const child = spawn(process.execPath, ['--conditions=@holdfast/source', program, bench.root, folder], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const exited = once(child, 'exit')
  try {
    await vi.waitUntil(() => existsSync(ready) && readFileSync(ready, 'utf8') !== '', { timeout: 30_000 })
  } finally {
    child.kill('SIGKILL')
    await exited
  }
  process.kill(Number(readFileSync(ready, 'utf8')), 'SIGKILL')
}

describe('a command in which the process is killed', () => {
  it('[WS1, RUN4, TOOL15] leaves its change set, which can be brought back: the next process compares with what stood there before', async () => {
    bench.put('changed.txt', 'one')
    bench.put('gone.txt', 'gone')
    bench.put('same.txt', 'same')
    await killedInCommand()
    const changes = await leftOf('call_1', 'conversation_1')
    expect(changes.map(({ path, kind, seen }) => [path, kind, seen])).toEqual([
      ['changed.txt', 'changed', 'with-others'],
      ['gone.txt', 'deleted', 'with-others'],
      ['made', 'created', 'with-others'],
      ['made/new.txt', 'created', 'with-others'],
    ])
    const textOf = (hash: string | undefined) => Buffer.from(bench.blobs.get(hash ?? '') ?? []).toString()
    expect(textOf(changes[0]?.before?.hash)).toBe('one')
    expect(textOf(changes[0]?.after?.hash)).toBe('two\n')
    expect(textOf(changes[1]?.before?.hash)).toBe('gone')
    // Whoever asks again, as after a second crash, is told the same.
    expect(await leftOf('call_1', 'conversation_1')).toEqual(changes)
    // It comes back like what any other command changed: where that is asked for.
    const readBlob: ReadBlob = async ({ hash }) => bench.blobs.get(hash) ?? Promise.reject(new Error(hash))
    const restoring = { readBlob, ports: bench.ports, call: { signal: new AbortController().signal } }
    const left = await rejectAll(bench.workspace, changes, { ...restoring, meanwhile: 'leave' })
    expect(left.restored).toEqual([])
    expect(await rejectAll(bench.workspace, changes, { ...restoring, meanwhile: 'restore' })).toMatchObject({
      conflicts: [],
    })
    const disk = (path: string) => readFileSync(join(bench.root, path), 'utf8')
    expect([disk('changed.txt'), disk('gone.txt'), disk('same.txt')]).toEqual(['one', 'gone', 'same'])
    expect(existsSync(join(bench.root, 'made'))).toBe(false)
  }, 60_000)

  it('[WS1] leaves nothing for another call, another conversation or another folder', async () => {
    bench.put('changed.txt', 'one')
    await killedInCommand()
    expect(await leftOf('call_2', 'conversation_1')).toEqual([])
    expect(await leftOf('call_1', 'conversation_2')).toEqual([])
    mkdirSync(join(bench.root, 'inner'))
    const other = await openWorkbench()
    const { workspace, ports } = other
    const left = { workspace, blobSink: ports.blobSink, name: 'conversation_1', callIds: ['call_1'] }
    expect(await watch.left(left)).toEqual([])
    await other.close()
  }, 60_000)

  it('[RUN14] leaves nothing on the disk when its process ends in order, and of one that was killed what nobody needs goes', async () => {
    writeFileSync(join(folder, 'seen-999999999-x-0'), 'of a process that is gone')
    const own = await openWorkbench({ watch, conversationId: 'conversation_1' })
    await callTool(own.tool('shell'), { command: 'echo x > made.txt' })
    const names = readdirSync(folder)
    expect(names.filter((name) => name.startsWith('survey-'))).toHaveLength(1)
    expect(names).not.toContain('seen-999999999-x-0')
    await own.close()
    await watch.close()
    expect(readdirSync(folder)).toEqual([])
  })
})
