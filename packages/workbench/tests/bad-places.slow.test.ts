import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Json } from '@holdfast/conversation'
import { storeBlobSink } from '@holdfast/engine'
import { systemClock, systemIds } from '@holdfast/engine/system'
import { createMemoryStore } from '@holdfast/store/memory'
import { DEFAULT_LIMITS, runCall } from '@holdfast/tool'
import {
  createFolderWatch,
  createSurveyor,
  createWorkspaceTools,
  findMachine,
  openWorkspace,
  usualBounds,
} from '@holdfast/toolbox'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { everythingIn, openBench } from './support/worktree-bench.ts'

/** A worktree has so many files, and ten times as many a folder that the tools are in. */
const FILES = process.env['HOLDFAST_FULL'] === '1' ? 10_000 : 2_000

const bwrap = process.env['HOLDFAST_BWRAP'] ?? ''
const mounted: string[] = []
let bench: ReturnType<typeof openBench>
const closing: (() => Promise<void>)[] = []

function mount(...args: readonly string[]): string {
  const at = realpathSync(mkdtempSync(join(tmpdir(), 'holdfast-mount-')))
  const end = spawnSync('mount', [...args, at], { encoding: 'utf8' })
  expect(end.status, end.stderr).toBe(0)
  mounted.push(at)
  return at
}
/** Only who may make file systems can have a full one. */
const mayMount = spawnSync('unshare', ['-m', 'true']).status === 0 && process.getuid?.() === 0

beforeEach(() => {
  bench = openBench()
})
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
  for (const at of mounted.splice(0)) {
    expect(spawnSync('umount', ['-l', at]).status).toBe(0)
    rmdirSync(at)
  }
  bench.remove()
})

/** The real tools of a conversation in a folder. */
async function toolsIn(root: string) {
  const machine = await findMachine({
    environment: { PATH: `${dirname(bwrap)}:/usr/bin:/bin`, HOME: bench.home },
    owner: 'tests',
    register: null,
    network: 'none',
    groupNotes: null,
    visible: { readable: [], links: [], hiddenFolders: [] },
    bounds: usualBounds(),
    clock: systemClock,
    signal: new AbortController().signal,
  })
  const { store } = createMemoryStore({ clock: systemClock })
  const surveyor = createSurveyor({ folder: bench.folder, clock: systemClock })
  const watch = createFolderWatch({ surveyor, clock: systemClock })
  const workspace = openWorkspace({ root, closed: [] })
  const owner = { conversationId: 'c1', ownerId: 'ann' }
  const blobSink = storeBlobSink({ store, ids: systemIds, clock: systemClock }, owner)
  const own = createWorkspaceTools({ workspace, machine, blobSink, watch }, systemClock)
  closing.push(async () => {
    await own.close()
    await watch.close()
  })
  return async (name: string, input: Json) => {
    const { outcome, content } = await runCall({
      tool: own.tools.find(({ definition }) => definition.name === name),
      call: { callId: systemIds.next('call'), name, input },
      signal: new AbortController().signal,
      limits: DEFAULT_LIMITS,
      clock: systemClock,
      onLate: () => {},
      onLateEffect: () => {},
    })
    return `${outcome}: ${content.map((part) => (part.type === 'text' ? part.text : '')).join('')}`
  }
}

describe('a worktree', () => {
  it.skipIf(!mayMount)(
    '[WS8] for which the disk has no room is refused in words, and nothing of it is left',
    async () => {
      writeFileSync(join(bench.repository, 'large.bin'), Buffer.alloc(6_000_000, 'x'))
      bench.git(['add', 'large.bin'])
      bench.git(['commit', '-qm', 'large'])
      const refs = bench.git(['for-each-ref'])
      const root = mount('-t', 'tmpfs', '-o', 'size=2m', 'tmpfs')
      const worktrees = await bench.open({ root })
      await expect(worktrees.make(bench.wish())).rejects.toMatchObject({
        code: 'system',
        message: expect.stringMatching(/has [0-9]+ bytes of space; nothing of the worktree is left/),
      })
      expect(readdirSync(root)).toEqual([])
      expect(bench.git(['worktree', 'list']).trim().split('\n')).toHaveLength(1)
      expect(bench.git(['for-each-ref'])).toBe(refs)
      expect(await worktrees.list({ ownerId: null, conversationId: null })).toEqual([])
      expect(bench.git(['fsck', '--no-dangling'])).toBe('')
      // With room it is made.
      expect((await (await bench.open()).make(bench.wish())).state).toBe('ready')
    },
  )

  it('[WS8, WS11] of thousands of files, with names that no other has, is made, told, removed and restored byte for byte', async () => {
    for (let at = 0; at < FILES; at += 1) {
      if (at % 500 === 0) mkdirSync(join(bench.repository, `part-${at / 500}`))
      writeFileSync(join(bench.repository, `part-${Math.floor(at / 500)}`, `file-${at}.txt`), `${at}\r\nline\n`)
    }
    const odd = ['new\nline.txt', ' blank ', 'quote".txt', '-option', 'ünï.txt', 'back\\slash', 'tab\t.txt']
    for (const name of odd) writeFileSync(join(bench.repository, name), 'odd')
    writeFileSync(join(bench.repository, 'binary.bin'), Buffer.from([0, 255, 13, 10, 0]))
    bench.git(['add', '.'])
    bench.git(['commit', '-qm', 'many'])
    const worktrees = await bench.open()
    const from = performance.now()
    const { folder, id } = await worktrees.make(bench.wish())
    console.log(`made of ${FILES} files in ${Math.round(performance.now() - from)} ms`)
    for (const name of odd) writeFileSync(join(folder, `${name}2`), 'mine\r\n')
    writeFileSync(join(folder, 'binary.bin'), Buffer.from([0, 1, 2]))
    const before = everythingIn(folder)
    await worktrees.remove(id)
    expect(existsSync(folder)).toBe(false)
    await worktrees.restore(id)
    expect(everythingIn(folder)).toEqual(before)
  }, 300_000)
})

describe('the tools of an agent', () => {
  it.skipIf(!mayMount)('[WS1, WS2] say that a folder may only be read, and go on', async () => {
    writeFileSync(join(bench.repository, 'a.txt'), 'a')
    const root = mount('--bind', '-o', 'ro', bench.repository)
    spawnSync('mount', ['-o', 'remount,bind,ro', root])
    const say = await toolsIn(root)
    expect(await say('read', { path: 'a.txt' })).toContain('ok: ')
    expect(await say('write', { path: 'b.txt', content: 'b' })).toMatch(/^error: .*(?:read-only|EROFS)/i)
    expect(await say('shell', { command: 'cat a.txt; echo x > c.txt' })).toContain('Read-only file system')
    expect(await say('shell', { command: 'git log --format=%s' })).toContain('begin')
  })

  it('[WS1, WS2] say that their folder went away, and work again when it is back', async () => {
    const root = join(bench.folder, 'going')
    mkdirSync(root)
    writeFileSync(join(root, 'a.txt'), 'a')
    const say = await toolsIn(root)
    spawnSync('mv', [root, `${root}-away`])
    for (const [name, input] of [
      ['read', { path: 'a.txt' }],
      ['list', {}],
      ['write', { path: 'b.txt', content: 'b' }],
      ['shell', { command: 'ls' }],
    ] as const)
      expect(await say(name, input)).toMatch(/^error: /)
    expect(existsSync(root)).toBe(false)
    spawnSync('mv', [`${root}-away`, root])
    expect(await say('read', { path: 'a.txt' })).toContain('ok: ')
    expect(await say('shell', { command: 'ls' })).toContain('a.txt')
  })

  it('[WS1] see tens of thousands of files, a file of 100 MB and names with line breaks, and change what they mean', async () => {
    const root = join(bench.folder, 'large')
    mkdirSync(root)
    spawnSync(
      'bash',
      ['-c', `for d in $(seq 1 ${FILES / 100}); do mkdir d$d; (cd d$d; seq 1 1000 | xargs touch); done`],
      {
        cwd: root,
      },
    )
    writeFileSync(join(root, 'huge.bin'), Buffer.alloc(100_000_000, 'y\n'))
    writeFileSync(join(root, 'two\nlines.txt'), 'one\r\ntwo\r\n')
    const say = await toolsIn(root)
    const from = performance.now()
    expect(await say('list', {})).toContain('"two\\nlines.txt"')
    expect(await say('glob', { pattern: 'd20/999' })).toContain('d20/999')
    expect(await say('read', { path: 'huge.bin' })).toMatch(/^error: .*(?:large|bytes|MB)/)
    const looked = Math.round(performance.now() - from)
    // To a model a name with a line break could pass for more than a name.
    expect(await say('read', { path: 'two\nlines.txt' })).toContain('is reached by the shell alone')
    expect(await say('shell', { command: "mv two* two-lines.txt; sed -i 's/two/three/' two-lines.txt" })).toContain(
      'exit code 0',
    )
    expect(readFileSync(join(root, 'two-lines.txt'), 'utf8')).toBe('one\r\nthree\r\n')
    const run = performance.now()
    expect(await say('shell', { command: 'echo x >> d7/7' })).toContain('exit code 0')
    console.log(
      `${FILES * 10} files: list, glob and the refusal of 100 MB ${looked} ms, a command ${Math.round(performance.now() - run)} ms`,
    )
  }, 300_000)
})
