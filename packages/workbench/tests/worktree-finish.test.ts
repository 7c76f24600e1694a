import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { FinishHow } from '../src/worktrees/finish-worktree.ts'
import { everythingIn, openBench } from './support/worktree-bench.ts'

let bench: ReturnType<typeof openBench>
beforeEach(() => {
  bench = openBench()
})
afterEach(() => bench.remove())

const refusal = (code: string, message?: RegExp) =>
  expect.objectContaining({
    name: 'WorktreeRefusal',
    code,
    ...(message ? { message: expect.stringMatching(message) } : {}),
  })

/** A worktree with one new commit and work that is not committed. */
async function begin(more: Parameters<typeof bench.open>[0] = {}) {
  const worktrees = await bench.open(more)
  const made = await worktrees.make(bench.wish())
  bench.write('one.txt', 'one\n', made.folder)
  bench.git(['add', 'one.txt'], made.folder)
  bench.git(['commit', '--quiet', '-m', 'one'], made.folder)
  bench.write('readme.md', 'first\nsecond\nTHIRD\n', made.folder)
  bench.write('new file\n.bin', Buffer.from([0, 1, 255]), made.folder)
  const finish = (how: FinishHow, commandId = 'k1') =>
    worktrees.finish({ conversationId: 'c1', commandId, how, title: 'Mend the parser' })
  return { worktrees, made, finish, work: everythingIn(made.folder) }
}

const subjects = (branch: string, at = bench.repository) =>
  bench.git(['log', '--format=%s', branch], at).trim().split('\n')

it('[WS10] merge moves the base to the work, also where it is checked out clean, and removes the worktree', async () => {
  const { worktrees, made, finish, work } = await begin()
  bench.write('untracked.txt', 'mine')
  const done = await finish('merge')
  expect(done).toMatchObject({ how: 'merge', base: 'main', isRemoved: true })
  expect(subjects('main')).toEqual(['Mend the parser', 'one', 'begin'])
  const after = everythingIn(bench.repository)
  expect(after.get('untracked.txt')).toBeDefined()
  after.delete('untracked.txt')
  expect(after).toEqual(work)
  expect(bench.git(['status', '--porcelain']).trim()).toBe('?? untracked.txt')
  expect(existsSync(made.folder)).toBe(false)
  expect(bench.git(['branch', '--list', 'holdfast/*'])).toBe('')
  // The same command again is answered the same, and does nothing.
  expect(await finish('merge')).toEqual(done)
  expect(await (await bench.open()).finish({ conversationId: 'c1', commandId: 'k1', how: 'merge', title: '' })).toEqual(
    done,
  )
  await expect(finish('merge', 'k2')).rejects.toEqual(refusal('unknown'))
  expect(worktrees.folderOf('c1')).toBe(null)
})

it('[WS10] of ends that are wished at once one comes about, and the others are refused', async () => {
  for (const hows of [
    ['merge', 'discard', 'branch'],
    ['discard', 'merge', 'apply'],
    ['branch', 'branch', 'merge'],
  ] as const) {
    const { made, finish } = await begin()
    const ends = await Promise.allSettled(hows.map((how, index) => finish(how, `${made.id} ${index}`)))
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected'])
    for (const end of ends.slice(1)) expect(end).toMatchObject({ reason: refusal('gone') })
    bench.remove()
    bench = openBench()
  }
  // Sent twice at once it is done once, and answered the same.
  const { finish } = await begin()
  const [one, other] = await Promise.all([finish('merge', 'same'), finish('merge', 'same')])
  expect(other).toEqual(one)
})

it('[WS10] a base that went on gets a merge commit, checked out or not', async () => {
  const { finish } = await begin()
  bench.write('other.txt', 'other')
  bench.git(['add', 'other.txt'])
  bench.git(['commit', '--quiet', '-m', 'other'])
  bench.git(['checkout', '--quiet', '-b', 'elsewhere'])
  const files = everythingIn(bench.repository)
  await finish('merge')
  expect(everythingIn(bench.repository)).toEqual(files)
  expect(subjects('main')[0]).toMatch(/^Merge branch 'holdfast\/mend-the-parser-/)
  expect(bench.git(['show', 'main:other.txt'])).toBe('other')
  expect(bench.git(['show', 'main:readme.md'])).toBe('first\nsecond\nTHIRD\n')
})

it('[WS10] a merge is refused in words where the base is checked out dirty, and nothing moves', async () => {
  const { made, finish, work } = await begin()
  bench.write('.gitignore', 'changed\n')
  const main = bench.git(['rev-parse', 'main'])
  const branch = bench.git(['rev-parse', made.branch])
  await expect(finish('merge')).rejects.toEqual(
    refusal('dirty', /main is checked out in .*repository, where changes are not committed/),
  )
  expect(bench.git(['rev-parse', 'main'])).toBe(main)
  expect(readFileSync(join(bench.repository, '.gitignore'), 'utf8')).toBe('changed\n')
  expect(everythingIn(made.folder)).toEqual(work)
  // Nor is what is open in the worktree committed: nothing came of it.
  expect(bench.git(['rev-parse', made.branch])).toBe(branch)
  await expect(finish('push')).rejects.toEqual(refusal('no-remote'))
  expect(bench.git(['rev-parse', made.branch])).toBe(branch)
  // What git would have to write over, it does not.
  bench.git(['checkout', '--', '.gitignore'])
  bench.write('one.txt', 'mine')
  await expect(finish('merge')).rejects.toEqual(refusal('system', /one\.txt/))
  expect(readFileSync(join(bench.repository, 'one.txt'), 'utf8')).toBe('mine')
  expect(bench.git(['rev-parse', 'main'])).toBe(main)
  rmSync(join(bench.repository, 'one.txt'))
  mkdirSync(join(bench.repository, '.git/rebase-merge'))
  await expect(finish('merge')).rejects.toEqual(refusal('in-progress'))
})

it('[WS10] a conflict is refused with the files that it is in, and nothing moves', async () => {
  const { made, finish, work } = await begin()
  bench.write('readme.md', 'first\nsecond\nmine\n')
  bench.git(['commit', '--quiet', '-am', 'mine'])
  const main = bench.git(['rev-parse', 'main'])
  const files = everythingIn(bench.repository)
  for (const how of ['merge', 'apply'] as const) {
    await expect(finish(how)).rejects.toEqual(refusal('conflict', /readme\.md/))
    expect(bench.git(['rev-parse', 'main'])).toBe(main)
    expect(everythingIn(bench.repository)).toEqual(files)
    expect(bench.git(['status', '--porcelain'])).toBe('')
  }
  expect(everythingIn(made.folder)).toEqual(work)
})

it('[WS10] apply changes the files of the workspace beside what is changed there, and commits nothing', async () => {
  const { finish, work } = await begin()
  bench.write('.gitignore', 'changed\n')
  const main = bench.git(['rev-parse', 'main'])
  const done = await finish('apply')
  expect(done).toMatchObject({ how: 'apply', isRemoved: true, base: null })
  expect(bench.git(['rev-parse', 'main'])).toBe(main)
  expect(bench.git(['diff', '--cached', '--name-only'])).toBe('')
  expect(everythingIn(bench.repository)).toEqual(
    new Map(work).set('.gitignore', everythingIn(bench.repository).get('.gitignore') ?? ''),
  )
  expect(readFileSync(join(bench.repository, '.gitignore'), 'utf8')).toBe('changed\n')
})

it('[WS10] keeping the branch commits what is open and removes the worktree alone', async () => {
  const { made, finish } = await begin()
  await finish('branch')
  expect(existsSync(made.folder)).toBe(false)
  expect(subjects(made.branch)).toEqual(['Mend the parser', 'one', 'begin'])
  expect(subjects('main')).toEqual(['begin'])
})

it('[WS10] push sends the branch to the remote of its base, and a pull request gives the page of the forge', async () => {
  const { made, finish } = await begin()
  await expect(finish('push')).rejects.toEqual(refusal('no-remote'))
  const remote = join(bench.folder, 'remote.git')
  bench.git(['init', '--quiet', '--bare', remote])
  bench.git(['remote', 'add', 'upstream', remote])
  bench.git(['remote', 'add', 'another', '/nowhere'])
  bench.git(['config', 'branch.main.remote', 'upstream'])
  expect(await finish('push')).toMatchObject({ isRemoved: false, link: null })
  expect(subjects(made.branch, remote)).toEqual(['Mend the parser', 'one', 'begin'])
  bench.write('two.txt', 'two', made.folder)
  // The address that is shown is the forge's, the one that is used is the remote's.
  bench.git(['config', `url.${remote}.pushInsteadOf`, 'unused:'])
  const asked = await finish('pull-request', 'k2')
  expect(asked).toMatchObject({ how: 'pull-request', base: 'main', link: null, isRemoved: false })
  expect(subjects(made.branch, remote)).toHaveLength(4)
})

it('[WS10] a pull request is opened by gh where it is installed', async () => {
  const gh = join(bench.folder, 'gh')
  writeFileSync(
    gh,
    `#!/bin/sh\nprintf '%s\\n' "$@" > '${bench.folder}/asked'\ngit config core.hooksPath >> '${bench.folder}/asked'\necho https://github.com/a/b/pull/7\n`,
    { mode: 0o755 },
  )
  const { made, finish } = await begin({ gh })
  const remote = join(bench.folder, 'github.git')
  bench.git(['init', '--quiet', '--bare', remote])
  bench.git(['remote', 'add', 'origin', remote])
  expect(await finish('pull-request')).toMatchObject({ link: 'https://github.com/a/b/pull/7' })
  expect(readFileSync(join(bench.folder, 'asked'), 'utf8').split('\n')).toEqual([
    ...[
      'pr',
      'create',
      '--head',
      made.branch,
      '--base',
      'main',
      '--title',
      'Mend the parser',
      '--body',
      '',
      '/dev/null',
      '',
    ],
  ])
})

it('[WS10] discard removes the worktree and its branch, and all of it can be restored', async () => {
  const { worktrees, made, finish, work } = await begin()
  expect(await finish('discard')).toMatchObject({ how: 'discard', isRemoved: true })
  expect(existsSync(made.folder)).toBe(false)
  expect(bench.git(['branch', '--list', 'holdfast/*'])).toBe('')
  expect(subjects('main')).toEqual(['begin'])
  await worktrees.restore(made.id)
  expect(everythingIn(made.folder)).toEqual(work)
  expect(subjects(made.branch)).toEqual(['one', 'begin'])
})

it('[WS10] a worktree in the middle of a rebase is not finished, and one without changes has nothing to merge', async () => {
  const { made, finish } = await begin()
  const entry = bench.git(['rev-parse', '--absolute-git-dir'], made.folder).trim()
  mkdirSync(join(entry, 'rebase-merge'))
  await expect(finish('branch')).rejects.toEqual(refusal('in-progress'))
  rmSync(join(entry, 'rebase-merge'), { recursive: true })
  bench.git(['reset', '--quiet', '--hard', 'main'], made.folder)
  rmSync(join(made.folder, 'new file\n.bin'))
  await expect(finish('merge')).rejects.toEqual(refusal('nothing'))
  await expect(finish('apply')).rejects.toEqual(refusal('nothing'))
})

it('[WS40] what came along uncommitted is not counted as work, and a merge that it makes impossible says so', async () => {
  bench.write('draft.txt', 'mine\n')
  const worktrees = await bench.open()
  const made = await worktrees.make({ ...bench.wish(), carries: true })
  const standing = async () =>
    (await worktrees.list({ ownerId: null, conversationId: 'c1' })).map(({ worktree, now }) => [
      worktree.isCarried,
      now?.ahead,
      now?.behind,
    ])
  expect(await standing()).toEqual([[true, 0, 0]])
  bench.write('one.txt', 'one\n', made.folder)
  bench.git(['add', 'one.txt'], made.folder)
  bench.git(['commit', '--quiet', '-m', 'one'], made.folder)
  expect(await standing()).toEqual([[true, 1, 0]])
  const wish = { conversationId: 'c1', title: 'Mend the parser' }
  await expect(worktrees.finish({ ...wish, commandId: 'k1', how: 'merge' })).rejects.toEqual(
    refusal('system', /came along as the first commit of this branch; apply brings the work alone/),
  )
  expect(await worktrees.finish({ ...wish, commandId: 'k2', how: 'apply' })).toMatchObject({ isRemoved: true })
  expect(bench.git(['status', '--porcelain', '--untracked-files']).trim().split('\n').toSorted()).toEqual([
    '?? draft.txt',
    '?? one.txt',
  ])
})

it('[WS42] of one whose folder was deleted by hand it is said how it is brought back, and that brings it back', async () => {
  const { worktrees, made, finish } = await begin()
  rmSync(made.folder, { recursive: true })
  const back = new RegExp(`holdfast worktrees remove ${made.id}\` and then \`holdfast worktrees restore ${made.id}\``)
  for (const how of ['apply', 'merge', 'branch'] as const)
    await expect(finish(how, how)).rejects.toEqual(refusal('gone', back))
  await worktrees.remove(made.id)
  await worktrees.restore(made.id)
  expect(readFileSync(join(made.folder, 'one.txt'), 'utf8')).toBe('one\n')
  expect(await finish('apply')).toMatchObject({ how: 'apply', isRemoved: true })
})
