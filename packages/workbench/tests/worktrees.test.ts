import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { WorktreeRefusal, type WorktreeStep } from '@holdfast/workbench'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { everythingIn, openBench } from './support/worktree-bench.ts'

let bench: ReturnType<typeof openBench>
beforeEach(() => {
  bench = openBench()
})
afterEach(() => bench.remove())

const refusal = (code: string) => expect.objectContaining({ name: 'WorktreeRefusal', code })

it('[WS11] a worktree has the files of the last commit on a branch of its own, outside of the repository', async () => {
  const worktrees = await bench.open()
  const made = await worktrees.make(bench.wish())
  expect(made.branch).toMatch(/^holdfast\/mend-the-parser-[0-9a-f]{6}$/)
  expect(made.folder.startsWith(bench.root)).toBe(true)
  expect(readFileSync(join(made.folder, 'readme.md'), 'utf8')).toBe('first\nsecond\nthird\n')
  expect(bench.git(['rev-parse', made.branch])).toBe(bench.git(['rev-parse', 'main']))
  expect(worktrees.folderOf('c1')).toBe(made.folder)
  expect(worktrees.folderOf('c2')).toBe(null)
  // Once more gives the one that is there, and a restart knows it.
  expect((await worktrees.make(bench.wish())).id).toBe(made.id)
  expect((await bench.open()).folderOf('c1')).toBe(made.folder)
})

it('[WS39] comes upon a worktree that another git is just making, and waits until that is whole', async () => {
  const worktrees = await bench.open()
  const entry = join(bench.repository, '.git', 'worktrees', 'half')
  mkdirSync(entry, { recursive: true })
  const head = bench.git(['rev-parse', 'main']).trim()
  for (const [name, text] of Object.entries({ HEAD: `${head}\n`, gitdir: `${bench.root}/half/.git\n`, commondir: '' }))
    writeFileSync(join(entry, name), text)
  const made = worktrees.make(bench.wish())
  setTimeout(() => writeFileSync(join(entry, 'commondir'), '../..\n'), 400)
  expect(readFileSync(join((await made).folder, 'readme.md'), 'utf8')).toBe('first\nsecond\nthird\n')
})

it('[WS11] a workspace that is a folder of the repository is the same folder in the worktree', async () => {
  bench.write('packages/one/index.js', '1')
  bench.git(['add', 'packages'])
  bench.git(['commit', '--quiet', '-m', 'one'])
  const worktrees = await bench.open()
  const made = await worktrees.make(bench.wish({ folder: join(bench.repository, 'packages/one') }))
  expect(worktrees.folderOf('c1')).toBe(join(made.folder, 'packages/one'))
})

it('[WS11] ignored files of the wanted names come along as copies that share nothing', async () => {
  bench.write('.env', 'KEY=1')
  bench.write('node_modules/a/index.js', 'a')
  bench.write('packages/one/node_modules/b/index.js', 'b')
  bench.write('packages/one/index.js', '1')
  symlinkSync('../a', join(bench.repository, 'node_modules/link'))
  bench.write('other.log', 'x')
  bench.write('.gitignore', '.env\nnode_modules/\n*.log\n')
  bench.git(['add', '.gitignore', 'packages/one/index.js'])
  bench.git(['commit', '--quiet', '-m', 'more'])
  const worktrees = await bench.open()
  const { folder } = await worktrees.make(bench.wish({ brought: ['.env', 'node_modules'] }))
  expect([...everythingIn(folder).keys()].sort()).toEqual([
    ...['.env', '.gitignore', 'node_modules/a/index.js', 'node_modules/link', 'packages/one/index.js'],
    ...['packages/one/node_modules/b/index.js', 'readme.md'],
  ])
  expect(everythingIn(folder).get('node_modules/link')).toBe('link ../a')
  writeFileSync(join(folder, 'node_modules/a/index.js'), 'changed')
  writeFileSync(join(folder, '.env'), 'changed')
  expect(readFileSync(join(bench.repository, 'node_modules/a/index.js'), 'utf8')).toBe('a')
  expect(readFileSync(join(bench.repository, '.env'), 'utf8')).toBe('KEY=1')
})

it('[WS11] nothing that comes along goes through a committed link out of the worktree', async () => {
  const outside = join(bench.folder, 'outside')
  mkdirSync(outside)
  symlinkSync(outside, join(bench.repository, 'settings'))
  bench.git(['add', 'settings'])
  bench.git(['commit', '--quiet', '-m', 'link'])
  rmSync(join(bench.repository, 'settings'))
  bench.write('settings/.env', 'KEY=1')
  const worktrees = await bench.open()
  await worktrees.make(bench.wish({ brought: ['.env'] }))
  expect(existsSync(join(outside, '.env'))).toBe(false)
})

it('[WS11] the setup command runs in the worktree, and its end and output are kept', async () => {
  const asked: string[] = []
  const worktrees = await bench.open({
    runSetup: async ({ folder, command }) => {
      asked.push(`${command} in ${folder}`)
      return { command, exitCode: 3, output: 'no such script', durationMs: 5 }
    },
  })
  const made = await worktrees.make(bench.wish({ setupCommand: 'npm ci' }))
  expect(asked).toEqual([`npm ci in ${made.folder}`])
  expect((await bench.open()).find(made.id)?.setup).toEqual({
    command: 'npm ci',
    exitCode: 3,
    output: 'no such script',
    durationMs: 5,
  })
})

it('[WS11] submodules come from git’s own copies, and the shared settings stay as they are', async () => {
  const library = join(bench.folder, 'library')
  mkdirSync(library)
  bench.git(['init', '--quiet', '--initial-branch=main'], library)
  bench.write('index.js', 'library', library)
  bench.git(['add', 'index.js'], library)
  bench.git(['commit', '--quiet', '-m', 'library'], library)
  bench.git(['-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library, 'vendor/library'])
  bench.git(['commit', '--quiet', '-m', 'vendor'])
  const before = readFileSync(join(bench.repository, '.git/config'), 'utf8')
  // What it was cloned from is gone: nothing is fetched.
  rmSync(library, { recursive: true })
  const worktrees = await bench.open()
  const { folder, id } = await worktrees.make(bench.wish())
  expect(readFileSync(join(folder, 'vendor/library/index.js'), 'utf8')).toBe('library')
  expect(readFileSync(join(bench.repository, '.git/config'), 'utf8')).toBe(before)
  bench.write('vendor/library/new.js', 'x', folder)
  await expect(worktrees.remove(id)).rejects.toEqual(refusal('nested'))
  rmSync(join(folder, 'vendor/library/new.js'))
  await worktrees.remove(id)
  expect(bench.git(['worktree', 'list']).trim().split('\n')).toHaveLength(1)
})

it('[WS38] what a killed server left where commands commit goes with the next start; that of one that runs stays', async () => {
  const worktrees = await bench.open()
  const { id, folder } = await worktrees.make(bench.wish())
  const begun = await worktrees.commitRoomOf(id)?.begin()
  const [own] = readdirSync(`${folder}.room`)
  const { pid } = spawnSync('true')
  for (const left of [`${pid}.1.gone`, `${process.pid}.1.another`, 'unnamed'])
    mkdirSync(join(`${folder}.room`, left, 'objects'), { recursive: true })
  await bench.open()
  expect(readdirSync(`${folder}.room`)).toEqual([own])
  expect(await begun?.finish()).toEqual([])
  await bench.open()
  expect(existsSync(`${folder}.room`)).toBe(false)
})

it('[WS8] the repository gets objects, refs of ours and the entry of the worktree, and nothing else', async () => {
  // What git keeps from any look, such as the index, is as it is before.
  bench.git(['status'])
  const isOurs = (path: string) =>
    /^(?:objects|refs\/holdfast|refs\/heads\/holdfast|worktrees|logs\/refs\/heads\/holdfast)\//.test(path)
  const ofPerson = () =>
    new Map([...everythingIn(join(bench.repository, '.git'), [])].filter(([path]) => !isOurs(path)))
  const before = ofPerson()
  const files = everythingIn(bench.repository)
  const worktrees = await bench.open()
  const { folder, id } = await worktrees.make(bench.wish())
  bench.write('readme.md', 'changed\n', folder)
  bench.git(['add', 'readme.md'], folder)
  bench.write('new.txt', 'new', folder)
  await worktrees.remove(id)
  await worktrees.restore(id)
  await worktrees.list({ ownerId: null, conversationId: null })
  expect(ofPerson()).toEqual(before)
  expect(everythingIn(bench.repository)).toEqual(files)
})

it('[WS8] a list tells size, dirt and how far ahead and behind, of one owner or of all', async () => {
  const worktrees = await bench.open()
  const one = await worktrees.make(bench.wish())
  await worktrees.make(bench.wish({ conversationId: 'c2', ownerId: 'bob', title: '' }))
  bench.write('a.txt', 'a', one.folder)
  bench.git(['add', 'a.txt'], one.folder)
  bench.git(['commit', '--quiet', '-m', 'a'], one.folder)
  bench.write('b.txt', 'b', one.folder)
  for (const name of ['x', 'y']) {
    bench.write(name, name)
    bench.git(['add', name])
    bench.git(['commit', '--quiet', '-m', name])
  }
  const all = await worktrees.list({ ownerId: null, conversationId: null })
  expect(all.map(({ worktree, now }) => [worktree.ownerId, now?.isDirty, now?.ahead, now?.behind])).toEqual([
    ['bob', false, 0, 2],
    ['ann', true, 1, 2],
  ])
  expect(all.every(({ now }) => (now?.sizeBytes ?? 0) > 0)).toBe(true)
  expect(await worktrees.list({ ownerId: 'ann', conversationId: null })).toHaveLength(1)
})

it('[WS8] there are no more than the caps allow, by number and by bytes', async () => {
  const worktrees = await bench.open()
  bench.bounds.mostWorktrees = 1
  const { id } = await worktrees.make(bench.wish())
  await expect(worktrees.make(bench.wish({ conversationId: 'c2' }))).rejects.toEqual(refusal('too-many'))
  await worktrees.remove(id)
  await worktrees.make(bench.wish({ conversationId: 'c2' }))
  bench.bounds.mostWorktrees = 10
  bench.bounds.mostWorktreeBytes = 1
  await expect(worktrees.make(bench.wish({ conversationId: 'c3' }))).rejects.toEqual(refusal('too-many'))
})

it('[WS41] a worktree whose work stands in the folder or in its base holds nothing of its own, and the refusal names it', async () => {
  const worktrees = await bench.open()
  const own = async () => {
    const all = await worktrees.list({ ownerId: null, conversationId: null })
    return Object.fromEntries(all.map(({ worktree, now }) => [worktree.conversationId, now?.hasOwnWork]))
  }
  const made = []
  for (const conversationId of ['untouched', 'applied', 'merged', 'changed', 'kept'])
    made.push(await worktrees.make(bench.wish({ conversationId })))
  const [untouched, applied, merged, changed, kept] = made.map(({ folder }) => folder)
  for (const folder of [applied, merged, changed, kept]) {
    bench.write('readme.md', `first\nof ${folder}\n`, folder)
    bench.write('new/file.txt', 'new', folder)
    bench.git(['add', '.'], folder)
    bench.git(['commit', '--quiet', '-m', 'work'], folder)
  }
  bench.write('not-committed.sh', '#!/bin/sh\n', applied)
  expect(await own()).toEqual({ untouched: false, applied: true, merged: true, changed: true, kept: true })
  // Merged by hand, and its base went on; then another is applied in the folder without a commit.
  bench.git(['merge', '--quiet', '--ff-only', made[2]?.branch ?? ''])
  bench.write('later.txt', 'later')
  bench.git(['add', '.'])
  bench.git(['commit', '--quiet', '-m', 'later'])
  bench.write('readme.md', `first\nof ${applied}\n`)
  bench.write('not-committed.sh', '#!/bin/sh\n')
  expect(await own()).toEqual({ untouched: false, applied: false, merged: false, changed: true, kept: true })
  chmodSync(join(applied ?? '', 'not-committed.sh'), 0o755)
  bench.write('more.txt', 'not committed', merged)
  rmSync(join(untouched ?? '', 'readme.md'))
  expect(await own()).toEqual({ untouched: true, applied: true, merged: true, changed: true, kept: true })
  chmodSync(join(applied ?? '', 'not-committed.sh'), 0o644)
  // What is not committed is in the folder too; what was committed went on changing there.
  bench.write('more.txt', 'not committed')
  expect(await own()).toMatchObject({ merged: false })
  bench.bounds.mostWorktrees = 5
  await expect(worktrees.make(bench.wish({ conversationId: 'sixth' }))).rejects.toThrow(
    `There are 5 worktrees, and 5 may be. 2 hold nothing of their own (${made[1]?.branch}, ${made[2]?.branch}): remove them in Settings, Workspaces, or with: holdfast worktrees clear.`,
  )
  await expect(worktrees.make(bench.wish({ conversationId: 'sixth', ownerId: 'bob' }))).rejects.toThrow(
    'There are 5 worktrees, and 5 may be. Finish or remove some',
  )
})

it('[WS8] a removed worktree comes back byte for byte: contents, rights, links, deletions and what is staged', async () => {
  const worktrees = await bench.open()
  const { id, folder, branch } = await worktrees.make(bench.wish())
  bench.write('committed.txt', 'c', folder)
  bench.git(['add', 'committed.txt'], folder)
  bench.git(['commit', '--quiet', '-m', 'c'], folder)
  bench.write('staged.txt', 'staged', folder)
  bench.git(['add', 'staged.txt'], folder)
  bench.write('staged.txt', 'staged and changed', folder)
  bench.write('binary', Buffer.from([0, 255, 13, 10, 0]), folder)
  bench.write('crlf.txt', 'a\r\nb\r\n', folder)
  bench.write('odd\nname\t"', 'odd', folder)
  bench.write('run.sh', '#!/bin/sh\n', folder)
  chmodSync(join(folder, 'run.sh'), 0o755)
  chmodSync(join(folder, 'binary'), 0o600)
  symlinkSync('nowhere', join(folder, 'link'))
  rmSync(join(folder, 'readme.md'))
  const before = everythingIn(folder)
  const status = bench.git(['status', '--porcelain'], folder)
  const removed = await worktrees.remove(id)
  expect(removed).toMatchObject({ state: 'removed', keepsBranch: true })
  expect(existsSync(folder)).toBe(false)
  expect(bench.git(['worktree', 'list']).trim().split('\n')).toHaveLength(1)
  expect(worktrees.folderOf('c1')).toBe(null)
  await (await bench.open()).restore(id)
  expect(everythingIn(folder)).toEqual(before)
  expect(bench.git(['status', '--porcelain'], folder)).toBe(status)
  expect(bench.git(['branch', '--show-current'], folder).trim()).toBe(branch)
})

it('[WS8] a dirty worktree that cannot be kept is not removed', async () => {
  const worktrees = await bench.open()
  const { id, folder } = await worktrees.make(bench.wish())
  bench.write('big', 'x'.repeat(1_000), folder)
  bench.bounds.mostSnapshotBytes = 999
  await expect(worktrees.remove(id)).rejects.toEqual(refusal('too-large'))
  bench.bounds.mostSnapshotBytes = 1_000
  mkdirSync(join(folder, 'inner'))
  bench.git(['init', '--quiet'], join(folder, 'inner'))
  bench.write('inner/work', 'x', folder)
  await expect(worktrees.remove(id)).rejects.toEqual(refusal('nested'))
  expect(readFileSync(join(folder, 'big'), 'utf8')).toHaveLength(1_000)
  expect(worktrees.folderOf('c1')).toBe(folder)
})

const STEPS_OF_MAKING: readonly WorktreeStep[] = [
  ...([
    'note-making',
    'make-branch',
    'make-worktree',
    'fill-submodules',
    'bring-along',
    'run-setup',
    'note-ready',
  ] as const),
]
const STEPS_OF_REMOVING: readonly WorktreeStep[] = [
  ...([
    'keep-snapshot',
    'note-removing',
    'set-folder-aside',
    'remove-entry',
    'remove-branch',
    'remove-folder',
  ] as const),
  'note-removed',
]
const STEPS_OF_RESTORING: readonly WorktreeStep[] = [
  ...(['note-restoring', 'make-branch', 'make-worktree', 'bring-back', 'note-ready'] as const),
]

/** Opens worktrees whose process ends before a step: nothing of it goes on. */
async function openUntil(step: WorktreeStep) {
  const reached = Promise.withResolvers<void>()
  const worktrees = await bench.open({
    beforeStep: async (next) => {
      if (next !== step) return
      reached.resolve()
      await new Promise<never>(() => {})
    },
  })
  return { worktrees, reached: reached.promise }
}

function treesAreWhole(count: number): void {
  const listed = bench.git(['worktree', 'list', '--porcelain'])
  expect(listed).not.toMatch(/prunable|locked/)
  expect(listed.match(/^worktree /gm)).toHaveLength(count)
  bench.git(['fsck', '--connectivity-only'])
}

it('[WS8] a process that ends before any step of making leaves nothing behind after the next start', async () => {
  for (const step of STEPS_OF_MAKING) {
    const cut = await openUntil(step)
    void cut.worktrees.make(bench.wish())
    await cut.reached
    // Whole also before anybody starts again.
    bench.git(['worktree', 'list'])
    const next = await bench.open()
    treesAreWhole(1)
    expect(bench.git(['for-each-ref', 'refs/holdfast', 'refs/heads/holdfast'])).toBe('')
    expect(next.folderOf('c1')).toBe(null)
    expect(await next.list({ ownerId: null, conversationId: null })).toEqual([])
  }
  const { id } = await (await bench.open()).make(bench.wish())
  expect(id).toMatch(/^hf-/)
  treesAreWhole(2)
})

it('[WS8] a process that ends before any step of removing loses nothing: the next start ends it, and it can be restored', async () => {
  for (const step of STEPS_OF_REMOVING) {
    const { id, folder } = await (await bench.open()).make(bench.wish({ title: step }))
    bench.write('work.txt', step, folder)
    const before = everythingIn(folder)
    const cut = await openUntil(step)
    void cut.worktrees.remove(id)
    await cut.reached
    const next = await bench.open()
    const isRemoved = STEPS_OF_REMOVING.indexOf(step) > STEPS_OF_REMOVING.indexOf('note-removing')
    treesAreWhole(isRemoved ? 1 : 2)
    if (isRemoved) await next.restore(id)
    expect(everythingIn(folder)).toEqual(before)
    await next.remove(id)
    await next.forget(id)
    expect(bench.git(['for-each-ref', 'refs/holdfast', 'refs/heads/holdfast'])).toBe('')
  }
})

it('[WS8] a process that ends before any step of restoring leaves it removed, and it can be restored again', async () => {
  const first = await bench.open()
  const { id, folder } = await first.make(bench.wish())
  bench.write('work.txt', 'work', folder)
  const before = everythingIn(folder)
  await first.remove(id)
  for (const step of STEPS_OF_RESTORING) {
    const cut = await openUntil(step)
    void cut.worktrees.restore(id)
    await cut.reached
    const next = await bench.open()
    treesAreWhole(1)
    expect(next.find(id)?.state).toBe('removed')
  }
  await (await bench.open()).restore(id)
  expect(everythingIn(folder)).toEqual(before)
  treesAreWhole(2)
})

it('[WS8] where a step fails, all that was made is taken away again', async () => {
  for (const step of STEPS_OF_MAKING.slice(1)) {
    const full = Object.assign(new Error('ENOSPC: no space left on device, write'), {
      code: 'ENOSPC',
      syscall: 'write',
    })
    const worktrees = await bench.open({
      beforeStep: async (next) => (next === step ? Promise.reject(full) : undefined),
    })
    await expect(worktrees.make(bench.wish())).rejects.toEqual(refusal('system'))
    treesAreWhole(1)
    expect(bench.git(['for-each-ref', 'refs/holdfast', 'refs/heads/holdfast'])).toBe('')
    expect(await worktrees.list({ ownerId: null, conversationId: null })).toEqual([])
  }
})

it('[WS8] what was not made here is never touched', async () => {
  const other = join(bench.folder, 'other')
  bench.git(['worktree', 'add', '--quiet', '-b', 'holdfast/theirs', other])
  const gone = join(bench.folder, 'gone')
  bench.git(['worktree', 'add', '--quiet', '-b', 'gone', gone])
  rmSync(gone, { recursive: true })
  const before = bench.git(['worktree', 'list', '--porcelain'])
  const worktrees = await bench.open()
  const { id, folder } = await worktrees.make(bench.wish())
  // Somebody took our place for another worktree: the entry leads elsewhere.
  bench.git(['worktree', 'move', folder, join(bench.folder, 'moved')])
  await expect(worktrees.remove(id)).rejects.toEqual(refusal('not-ours'))
  expect(existsSync(join(bench.folder, 'moved/readme.md'))).toBe(true)
  bench.git(['worktree', 'move', join(bench.folder, 'moved'), folder])
  await (await bench.open()).list({ ownerId: null, conversationId: null })
  expect(bench.git(['worktree', 'list', '--porcelain'])).toBe(before)
})

it('[WS8] a repository that cannot have a worktree is refused in words', async () => {
  const worktrees = await bench.open()
  const make = (folder: string) => worktrees.make(bench.wish({ folder }))
  await expect(make(join(bench.folder, 'nowhere'))).rejects.toEqual(refusal('gone'))
  await expect(make(bench.folder)).rejects.toEqual(refusal('no-repository'))
  const empty = join(bench.folder, 'empty')
  mkdirSync(empty)
  bench.git(['init', '--quiet'], empty)
  await expect(make(empty)).rejects.toEqual(refusal('no-commits'))
  const bare = join(bench.folder, 'bare')
  bench.git(['clone', '--quiet', '--bare', bench.repository, bare])
  await expect(make(bare)).rejects.toEqual(refusal('bare'))
  bench.git(['branch', 'holdfast'])
  await expect(make(bench.repository)).rejects.toEqual(refusal('name-taken'))
  bench.git(['branch', '-D', 'holdfast'])
  mkdirSync(join(bench.repository, '.git/rebase-merge'))
  await expect(make(bench.repository)).rejects.toEqual(refusal('in-progress'))
  rmSync(join(bench.repository, '.git/rebase-merge'), { recursive: true })
  await expect((await bench.open({ git: null })).make(bench.wish())).rejects.toEqual(refusal('no-git'))
  expect(bench.git(['for-each-ref', 'refs/holdfast', 'refs/heads/holdfast'])).toBe('')
  expect(() => {
    throw new WorktreeRefusal('unknown', 'x')
  }).toThrow('x')
})

it('[SEC7] nothing that the repository’s settings name is run when a worktree is made, listed, kept and finished', async () => {
  const marker = join(bench.folder, 'ran')
  const run = `touch '${marker}'`
  const script = join(bench.folder, 'evil.sh')
  writeFileSync(script, `#!/bin/sh\n${run}\ncat\n`, { mode: 0o755 })
  bench.write('.gitattributes', '* filter=evil diff=evil merge=evil\n')
  bench.git(['add', '.gitattributes'])
  bench.git(['commit', '--quiet', '-m', 'attributes'])
  const hooks = join(bench.repository, '.git/hooks')
  for (const name of [
    'post-checkout',
    'pre-commit',
    'commit-msg',
    'post-commit',
    'post-merge',
    'reference-transaction',
    'post-index-change',
    'pre-merge-commit',
  ])
    writeFileSync(join(hooks, name), `#!/bin/sh\n${run}\n`, { mode: 0o755 })
  for (const [key, value] of [
    ...[
      ['core.fsmonitor', script],
      ['core.hooksPath', hooks],
      ['core.editor', script],
      ['core.pager', script],
      ['core.sshCommand', script],
      ['diff.external', script],
      ['diff.evil.textconv', script],
      ['diff.evil.command', script],
      ['filter.evil.clean', script],
      ['filter.evil.smudge', script],
      ['filter.evil.process', script],
      ['filter.evil.required', 'true'],
      ['merge.evil.driver', script],
      ['commit.gpgSign', 'true'],
      ['gpg.program', script],
      ['credential.helper', `!${script}`],
      ['alias.status', `!${script}`],
    ],
  ] as const)
    bench.git(['config', key, value])
  const worktrees = await bench.open()
  const { id, folder } = await worktrees.make(bench.wish())
  bench.write('readme.md', 'changed\nsecond\nthird\n', folder)
  bench.write('new.txt', 'new', folder)
  await worktrees.list({ ownerId: null, conversationId: null })
  await worktrees.remove(id)
  await worktrees.restore(id)
  expect(existsSync(marker)).toBe(false)
  await worktrees.finish({ conversationId: 'c1', commandId: 'k1', how: 'merge', title: 'Work' })
  expect(existsSync(marker)).toBe(false)
  expect(readFileSync(join(bench.repository, 'readme.md'), 'utf8')).toBe('changed\nsecond\nthird\n')
})
