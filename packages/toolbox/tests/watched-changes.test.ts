import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BlobSink, type FileChange, toolOf } from '@holdfast/tool'
import { createFolderWatch, createSurveyor, createWorkspaceTools, type ReadBlob } from '@holdfast/toolbox'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { rejectAll, review } from './support/review.ts'
import { systemClock } from './support/system-clock.ts'
import { callTool, changesOf, keepBlob, openWorkbench, PLAIN_MACHINE, type Workbench } from './support/workbench.ts'

const surveyor = createSurveyor({ folder: tmpdir(), clock: systemClock })
const watch = createFolderWatch({ surveyor, clock: systemClock })
afterAll(() => watch.close())

let bench: Workbench
beforeEach(async () => {
  bench = await openWorkbench({ watch })
})
afterEach(() => bench.close())

const readBlob: ReadBlob = async ({ hash }) => {
  const bytes = bench.blobs.get(hash)
  if (!bytes) throw new Error(`No blob ${hash}`)
  return bytes
}
const call = { callId: 'call_restore', signal: new AbortController().signal }
const restore = (changes: readonly FileChange[] = [...bench.changes], meanwhile: 'leave' | 'restore' = 'restore') =>
  rejectAll(bench.workspace, changes, { readBlob, ports: bench.ports, call, meanwhile })
const plan = (changes: readonly FileChange[] = bench.changes) =>
  review(bench.workspace, changes, { readBlob, signal: call.signal })
const at = (path: string) => join(bench.root, path)
const disk = (path: string) => readFileSync(at(path), 'utf8')
const modeOf = (path: string) => statSync(at(path)).mode & 0o777
const shell = (command: string) => bench.say('shell', { command })
const listed = () => bench.changes.map(({ path, kind, entity }) => [path, kind, entity ?? 'file'])

describe('what a command does to the folder', () => {
  it('[WS1] is in the change set: files, rights, links and folders, and nothing that it left as it was', async () => {
    bench.put('changed.txt', 'one')
    bench.put('same.txt', 'same')
    bench.put('gone/deep.txt', 'deep')
    bench.put('run.sh', '#!/bin/sh')
    bench.put('.git/config', '[core]')
    await shell(
      'echo two > changed.txt; touch same.txt; rm -r gone; chmod 755 run.sh; mkdir -p made/empty; echo x > made/new.txt; ln -s run.sh link; echo y >> .git/config',
    )
    expect(listed()).toEqual([
      ['changed.txt', 'changed', 'file'],
      ['gone', 'deleted', 'folder'],
      ['gone/deep.txt', 'deleted', 'file'],
      ['link', 'created', 'link'],
      ['made', 'created', 'folder'],
      ['made/empty', 'created', 'folder'],
      ['made/new.txt', 'created', 'file'],
      ['run.sh', 'changed', 'file'],
    ])
    expect(bench.changes.every(({ seen }) => seen === 'alone')).toBe(true)
    bench.changes.length = 0
    await shell('cat changed.txt; ls -R; true')
    expect(bench.changes).toEqual([])
  })

  it('[WS1] is restored whole: contents, rights, links, folders that it removed; folders that it made go', async () => {
    bench.put('changed.txt', 'one')
    bench.put('closed/deep/a.txt', 'deep')
    bench.put('run.sh', '#!/bin/sh')
    symlinkSync('../outside/secret.txt', at('way-out'))
    chmodSync(at('run.sh'), 0o750)
    chmodSync(at('closed/deep'), 0o555)
    chmodSync(at('closed'), 0o700)
    await shell('echo two > changed.txt; chmod -R u+w closed; rm -r closed way-out; mkdir -p made/x; echo > made/x/y')
    await shell('echo three > changed.txt; chmod 600 run.sh; echo file > closed')
    const changes = [...bench.changes]
    expect((await plan()).every(({ conflict }) => conflict === null)).toBe(true)
    expect(await restore()).toMatchObject({ conflicts: [] })
    expect([disk('changed.txt'), disk('closed/deep/a.txt')]).toEqual(['one', 'deep'])
    expect([modeOf('run.sh'), modeOf('closed'), modeOf('closed/deep')]).toEqual([0o750, 0o700, 0o555])
    expect(readlinkSync(at('way-out'))).toBe('../outside/secret.txt')
    expect(existsSync(at('made'))).toBe(false)
    chmodSync(at('closed/deep'), 0o755)
    // The restoration is a change set of its own.
    chmodSync(at('closed/deep'), 0o555)
    await restore(bench.changes.slice(changes.length))
    expect([disk('changed.txt'), disk('closed')]).toEqual(['three\n', 'file\n'])
    expect(existsSync(at('made/x/y'))).toBe(true)
    expect(readFileSync(join(bench.outside, 'secret.txt'), 'utf8')).toContain('CANARY')
  })

  it('[WS1] is told apart from what a person did before, and left alone where a person changed it since', async () => {
    bench.put('mine.txt', 'one')
    await shell('echo two > theirs.txt; echo a > both.txt; mkdir made; echo b > made/b.txt')
    writeFileSync(at('mine.txt'), 'mine')
    writeFileSync(at('both.txt'), 'mine too')
    writeFileSync(at('made/mine.txt'), 'in their folder')
    await shell('true')
    expect(listed().map(([path]) => path)).toEqual(['both.txt', 'made', 'made/b.txt', 'theirs.txt'])
    const { conflicts } = await restore()
    expect(conflicts).toEqual([
      { path: 'both.txt', reason: expect.stringContaining('something else changed it since') },
      { path: 'made', reason: expect.stringContaining('did not make') },
    ])
    expect([disk('mine.txt'), disk('both.txt'), disk('made/mine.txt')]).toEqual(['mine', 'mine too', 'in their folder'])
    expect([existsSync(at('theirs.txt')), existsSync(at('made/b.txt'))]).toEqual([false, false])
  })

  it('[WS1] is seen though it leaves size and times as they were', async () => {
    bench.put('a.txt', 'aaaa')
    await shell('true')
    await shell('touch -r a.txt /tmp/.times-$$; printf bbbb > a.txt; touch -r /tmp/.times-$$ a.txt; rm /tmp/.times-$$')
    expect(listed()).toEqual([['a.txt', 'changed', 'file']])
    await restore()
    expect(disk('a.txt')).toBe('aaaa')
  })

  it('[WS1] is said where it cannot be kept: folders into which nobody looks, and files that are too large', async () => {
    bench.put('.gitignore', 'build/\n.env\n')
    bench.put('.env', 'KEY=1')
    bench.put('build/out.js', 'built')
    bench.put('large.bin', Buffer.alloc((16 << 20) + 1))
    await shell('rm .env large.bin build/out.js; mkdir -p node_modules/a; echo 1 > node_modules/a/index.js')
    expect(bench.changes.map(({ path, kind, notKept }) => [path, kind, notKept])).toEqual([
      ['.env', 'deleted', undefined],
      ['large.bin', 'deleted', 'too-large'],
      ['node_modules', 'created', 'left-out'],
    ])
    const { restored, conflicts } = await restore()
    expect(restored).toEqual(['.env'])
    expect(conflicts).toEqual([
      { path: 'node_modules', reason: expect.stringContaining('nobody looks') },
      { path: 'large.bin', reason: expect.stringContaining('too large to be kept') },
    ])
    expect(disk('.env')).toBe('KEY=1')
  })

  it('[WS1] cannot be hidden by an ignore file that the command writes', async () => {
    bench.put('src/a.txt', 'one')
    await shell('echo src/ > .gitignore; rm src/a.txt')
    expect(listed()).toContainEqual(['src/a.txt', 'deleted', 'file'])
    await restore()
    expect(disk('src/a.txt')).toBe('one')
  })

  it('[WS1] is never looked for outside, by links to files or folders; a folder that became a link is no way out', async () => {
    bench.put('part/secret.txt', 'inside')
    await shell(`ln -s ${bench.outside} out; ln -s ${bench.outside}/secret.txt leak; cat out/secret.txt leak`)
    expect(JSON.stringify([...bench.blobs.values()].map((bytes) => Buffer.from(bytes).toString()))).not.toContain(
      'CANARY',
    )
    await shell(`rm -r part; ln -s ${bench.outside} part`)
    expect(await restore()).toMatchObject({ conflicts: [] })
    expect(disk('part/secret.txt')).toBe('inside')
    expect(lstatSync(at('part')).isDirectory()).toBe(true)
    expect(readFileSync(join(bench.outside, 'secret.txt'), 'utf8')).toContain('CANARY')
  })

  it('[WS1] is noted of a command that was stopped, and of one that failed', async () => {
    const stop = new AbortController()
    const running = bench.call('shell', { command: 'echo 1 > begun.txt; sleep 300' }, stop.signal)
    await vi.waitFor(() => expect(existsSync(at('begun.txt'))).toBe(true), 10_000)
    stop.abort()
    await running
    await shell('echo 2 > failed.txt; exit 3')
    expect(listed().map(([path]) => path)).toEqual(['begun.txt', 'failed.txt'])
  })

  it('[WS1] of the background is noted by the next call that looks, and what a person does later is not', async () => {
    await bench.say('shell', {
      command: 'while [ ! -e go ]; do sleep 0.02; done; echo 1 > by-it.txt',
      background: true,
    })
    await shell('echo 2 > beside.txt; touch go')
    await vi.waitFor(() => expect(existsSync(at('by-it.txt'))).toBe(true), 10_000)
    await vi.waitFor(async () => expect(await bench.say('process_output', {})).toContain('exit code 0'), 10_000)
    writeFileSync(at('mine.txt'), 'mine')
    await shell('true')
    expect(
      listed()
        .map(([path]) => path)
        .toSorted(),
    ).toEqual(['beside.txt', 'by-it.txt', 'go'])
  })

  it('[TOOL15] is named with what a person saves meanwhile: that comes back only where it is asked for too', async () => {
    bench.put('mine.txt', 'first words')
    const running = shell('touch waiting; while [ ! -e go ]; do sleep 0.02; done; echo 1 > its.txt')
    await vi.waitFor(() => expect(existsSync(at('waiting'))).toBe(true), 10_000)
    bench.put('mine.txt', 'my own words')
    bench.put('go', '')
    await running
    await bench.say('write', { path: 'told.txt', content: 'x' })
    const all = [...bench.changes]
    const planned = (await plan(all)).map(({ path, seenOnly, conflict }) => [path, seenOnly ?? false, conflict])
    expect(planned.toSorted()).toEqual([
      ['go', true, null],
      ['its.txt', true, null],
      ['mine.txt', true, null],
      ['told.txt', false, null],
      ['waiting', true, null],
    ])
    const { restored, conflicts } = await restore(all, 'leave')
    expect(restored).toEqual(['told.txt'])
    expect(conflicts.find(({ path }) => path === 'mine.txt')?.reason).toContain('whose change it is cannot be told')
    expect([disk('mine.txt'), disk('its.txt'), existsSync(at('told.txt'))]).toEqual(['my own words', '1\n', false])
    expect(await restore(all, 'restore')).toMatchObject({ conflicts: [] })
    expect([disk('mine.txt'), existsSync(at('its.txt'))]).toEqual(['first words', false])
  })

  it('[WS1] of a server that runs here is seen around its call', async () => {
    const definition = { name: 'server__put', description: '', parameters: { type: 'object' }, claims: {} }
    const put = toolOf(definition, () => void bench.put('by-server.txt', 'x'))
    await bench.run(bench.own.watched(put), {})
    expect(listed()).toEqual([['by-server.txt', 'created', 'file']])
  })
})

describe('two conversations in one folder', () => {
  /** Another conversation in the same folder. */
  function openOther(blobs: Map<string, Uint8Array> = bench.blobs) {
    const changes: FileChange[] = []
    const blobSink: BlobSink = { keep: (content, { mediaType }) => keepBlob(blobs, content, mediaType) }
    const options = { workspace: bench.workspace, machine: PLAIN_MACHINE, blobSink, watch }
    const own = createWorkspaceTools(options, systemClock)
    const run = async (name: string, input: Parameters<typeof callTool>[1]) => {
      const tool = own.tools.find(({ definition }) => definition.name === name)
      if (!tool) throw new Error(`No tool ${name}`)
      const result = await callTool(tool, input)
      changes.push(...changesOf(result.effects))
      return result
    }
    return { changes, run, close: own.close }
  }
  const WAIT = 'touch waiting; while [ ! -e go ]; do sleep 0.02; done'

  it('[WS1] a tool of one is not taken for the doing of a command of the other that runs meanwhile', async () => {
    bench.put('a.txt', 'one')
    const other = openOther()
    const running = shell(`${WAIT}; echo more >> a.txt`)
    await vi.waitFor(() => expect(existsSync(at('waiting'))).toBe(true), 10_000)
    await other.run('read', { path: 'a.txt' })
    await other.run('edit', { path: 'a.txt', old_text: 'one', new_text: 'two' })
    await other.run('write', { path: 'sub/theirs.txt', content: 'x' })
    bench.put('go', '')
    await running
    await other.close()
    expect(listed().map(([path]) => path)).toEqual(['a.txt', 'go', 'waiting'])
    await restore(bench.changes.filter(({ path }) => path === 'a.txt'))
    expect(disk('a.txt')).toBe('two')
  })

  it('[LOG11] a body that a tool of one told is kept anew for the other, which may be of another owner', async () => {
    const others = new Map<string, Uint8Array>()
    const other = openOther(others)
    const running = shell(`${WAIT}; echo more >> theirs.txt`)
    await vi.waitFor(() => expect(existsSync(at('waiting'))).toBe(true), 10_000)
    await other.run('write', { path: 'theirs.txt', content: 'x\n' })
    bench.put('go', '')
    await running
    await other.close()
    const change = bench.changes.find(({ path }) => path === 'theirs.txt')
    expect(change).toMatchObject({ kind: 'changed', seen: 'alone' })
    expect(others.size).toBeGreaterThan(0)
    for (const { before, after } of bench.changes)
      for (const blob of [before, after]) if (blob) expect(bench.blobs.has(blob.hash)).toBe(true)
    expect(Buffer.from(bench.blobs.get(change?.before?.hash ?? '') ?? []).toString()).toBe('x\n')
  })

  it('[WS1, TOOL15] what commands of both did at the same time is said to be nobody’s for certain, and left alone unless asked for', async () => {
    const other = openOther()
    const running = shell(`${WAIT}; echo 1 > one.txt`)
    await vi.waitFor(() => expect(existsSync(at('waiting'))).toBe(true), 10_000)
    await other.run('shell', { command: 'echo 2 > two.txt; touch go' })
    await running
    await other.close()
    expect(bench.changes.every(({ seen }) => seen === 'with-others')).toBe(true)
    const changes = [...bench.changes]
    const { restored, conflicts } = await restore(changes, 'leave')
    expect(restored).toEqual([])
    expect(conflicts[0]?.reason).toContain('whose change it is cannot be told')
    expect(conflicts[0]?.reason).toContain('others may have been at work')
    expect(disk('one.txt')).toBe('1\n')
    expect(await restore(changes, 'restore')).toMatchObject({ conflicts: [] })
    expect(existsSync(at('one.txt'))).toBe(false)
  })
})

describe('a folder beyond the bounds', () => {
  it('[WS1] is watched as far as they go; the rest is named', async () => {
    const small = createSurveyor({ folder: tmpdir(), clock: systemClock, limits: { entryCount: 4, packBytes: 10 } })
    const own = await openWorkbench({ watch: createFolderWatch({ surveyor: small, clock: systemClock }) })
    mkdirSync(join(own.root, 'a'))
    for (const name of ['1', '2', '3']) writeFileSync(join(own.root, 'a', name), name.repeat(4))
    own.put('b/1', 'one')
    await own.say('shell', { command: 'echo x > a/1; echo x > a/3; echo x > b/1; rm -r b; echo x > c' })
    await own.close()
    await small.close()
    expect(own.changes.map(({ path, kind, notKept }) => [path, kind, notKept])).toEqual([
      ['a/1', 'changed', undefined],
      ['a/3', 'changed', 'too-many'],
      ['b', 'deleted', 'too-many'],
      ['c', 'created', undefined],
    ])
  })
})
