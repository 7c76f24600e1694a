import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Json } from '@holdfast/conversation'
import { storeBlobSink } from '@holdfast/engine'
import { systemClock, systemIds } from '@holdfast/engine/system'
import { createMemoryStore } from '@holdfast/store/memory'
import { DEFAULT_LIMITS, runCall } from '@holdfast/tool'
import { createWorkspaceTools, findMachine, openWorkspace, usualBounds } from '@holdfast/toolbox'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { everythingIn, openBench } from './support/worktree-bench.ts'

const bwrap = process.env['HOLDFAST_BWRAP'] ?? ''
let bench: ReturnType<typeof openBench>
let folder = ''
let branch = ''
let commonDir = ''
let run: (command: string) => Promise<string>
let close = async (): Promise<void> => {}

/** A worktree, and the real shell in the real sandbox in it. */
beforeEach(async () => {
  bench = openBench()
  mkdirSync(join(bench.repository, '.git/hooks'), { recursive: true })
  const worktrees = await bench.open()
  const made = await worktrees.make(bench.wish())
  folder = made.folder
  branch = made.branch
  commonDir = made.commonDir
  writeFileSync(join(bench.home, 'secret.txt'), 'CANARY')
  const machine = await findMachine({
    environment: { PATH: `${dirname(bwrap)}:/usr/bin:/bin`, HOME: bench.home },
    owner: 'tests',
    register: null,
    network: 'none',
    groupNotes: null,
    visible: { readable: [], links: [], hiddenFolders: [join(bench.folder, 'data/own')] },
    bounds: usualBounds(),
    clock: systemClock,
    signal: new AbortController().signal,
  })
  expect(machine.sandbox.type).toBe('bubblewrap')
  const commitRoom = worktrees.commitRoomOf(made.id)
  const workspace = openWorkspace({ root: folder, closed: [], readable: [commonDir], commitRoom })
  const { store } = createMemoryStore({ clock: systemClock })
  const owner = { conversationId: 'c1', ownerId: 'ann' }
  const blobSink = storeBlobSink({ store, ids: systemIds, clock: systemClock }, owner)
  const own = createWorkspaceTools({ workspace, machine, blobSink }, systemClock)
  run = async (command) => {
    const { content } = await runCall({
      tool: own.tools.find(({ definition }) => definition.name === 'shell'),
      call: { callId: systemIds.next('call'), name: 'shell', input: { command } satisfies Json },
      signal: new AbortController().signal,
      limits: DEFAULT_LIMITS,
      clock: systemClock,
      onLate: () => {},
      onLateEffect: () => {},
    })
    return content.map((part) => (part.type === 'text' ? part.text : '')).join('')
  }
  close = own.close
})
afterEach(async () => {
  await close()
  bench.remove()
})

/** All that git knows, but what commits are made of, the branch of the worktree and what is staged in it. */
function kept(): Map<string, string> {
  const all = everythingIn(commonDir, [])
  for (const name of [...all.keys()])
    if (name.startsWith('objects/') || name === `refs/heads/${branch}` || name.endsWith('/index')) all.delete(name)
  return all
}
const at = (args: readonly string[]) => bench.git(args, folder)

describe('a command in a worktree', () => {
  it('[WS12] commits as anywhere, to the branch of the worktree, and what it staged is staged', async () => {
    bench.git(['config', 'user.name', 'Ann "of" Cleves'])
    bench.git(['config', 'user.email', 'ann@example.org'])
    const before = kept()
    const objects = everythingIn(join(commonDir, 'objects'), [])
    const said = await run(
      'echo new > new.txt && mkdir deep && echo two > deep/b.txt && git add -A && git commit -qm second && echo more >> new.txt && git commit -qam third && git log --format=%s && git status --short',
    )
    expect(said).toBe('The command ended with exit code 0.\nOutput:\nthird\nsecond\nbegin\n')
    expect(bench.git(['log', '--format=%s by %an', branch])).toBe(
      'third by Ann "of" Cleves\nsecond by Ann "of" Cleves\nbegin by Ann\n',
    )
    expect(at(['status', '--short'])).toBe('')
    expect(
      await run('git commit -q --amend -m mended && echo x > s.txt && git add s.txt && git rm -q deep/b.txt'),
    ).toContain('exit code 0')
    expect(at(['log', '--format=%s'])).toBe('mended\nsecond\nbegin\n')
    expect(at(['status', '--short'])).toBe('D  deep/b.txt\nA  s.txt\n')
    expect(at(['diff', '--cached', '--', 's.txt'])).toContain('+x')
    expect(bench.git(['fsck', '--strict', '--no-dangling'])).toBe('')
    expect(kept()).toEqual(before)
    for (const [name, content] of objects) expect(everythingIn(join(commonDir, 'objects'), []).get(name)).toBe(content)
    expect(existsSync(`${folder}.room`) && everythingIn(`${folder}.room`, []).size > 0).toBe(false)
  })

  it('[WS12] commits where refs are packed, beside another command, and after a person did', async () => {
    bench.git(['pack-refs', '--all'])
    const slow = run(
      'echo a > a.txt; git add a.txt; for i in 1 2 3 4 5 6 7 8 9; do git status > /dev/null; done; git commit -qm slow',
    )
    expect(await slow).toContain('exit code 0')
    writeFileSync(join(folder, 'p.txt'), 'p')
    at(['add', 'p.txt'])
    at(['commit', '-qm', 'by a person'])
    const both = await Promise.all([
      run('echo b > b.txt; git add b.txt; git commit -qm one'),
      run('echo c > c.txt; git add c.txt; git commit -qm other'),
    ])
    expect(
      both.filter((text) => text.includes('was not taken over')),
      both.join(''),
    ).toHaveLength(1)
    expect(at(['log', '--format=%s']).split('\n').slice(1, 3)).toEqual(['by a person', 'slow'])
    expect(bench.git(['fsck', '--strict', '--no-dangling'])).toBe('')
    for (const name of ['a.txt', 'b.txt', 'c.txt', 'p.txt']) expect(existsSync(join(folder, name))).toBe(true)
  })

  it.each([
    ['another branch', 'git update-ref refs/heads/main $(git commit-tree -m evil HEAD^{tree})'],
    ['a new branch', 'git branch evil; git tag evil'],
    [
      'a push to the repository itself',
      'git commit -q --allow-empty -m x; git push -q . HEAD:main HEAD:refs/heads/evil',
    ],
    ['the head of the worktree', 'git symbolic-ref HEAD refs/heads/main; git commit -q --allow-empty -m x'],
    [
      'settings',
      'git config core.fsmonitor "touch $PWD/ran"; git config --worktree core.fsmonitor "touch $PWD/ran"; echo "[core]fsmonitor=touch $PWD/ran" >> C/config',
    ],
    ['hooks', 'echo "touch $PWD/ran" > C/hooks/pre-commit; chmod +x C/hooks/pre-commit'],
    [
      'attributes',
      'echo "* filter=evil" > C/info/attributes; mkdir -p C/info; echo "* filter=evil" >> C/info/attributes',
    ],
    [
      'where git is sent on to',
      'mkdir e; cp -r C/. e/; echo "[core]fsmonitor=touch $PWD/ran" >> e/config; echo $PWD/e > E/commondir; echo "gitdir: $PWD/e" > .git',
    ],
    [
      'a rebase that goes on',
      'mkdir -p E/rebase-merge; echo "exec touch $PWD/ran" > E/rebase-merge/git-rebase-todo; echo x > E/MERGE_HEAD',
    ],
    [
      'the worktrees of others',
      'echo gone > C/worktrees/other/HEAD; mkdir C/worktrees/new; git worktree prune; git worktree add ../evil',
    ],
    ['what is there', 'rm -rf C/objects/?? C/objects/pack C/refs/heads/* C/packed-refs; git gc --prune=now'],
    [
      'a capability',
      'mount -o remount,bind,rw C; umount C/objects; unshare -Ur true && touch ran; mv C C2; mv .git g; cp -r g .git',
    ],
  ])('[WS12, SEC6, SEC7] changes nothing else: %s', async (_name, command) => {
    mkdirSync(join(commonDir, 'worktrees/other'), { recursive: true })
    writeFileSync(join(commonDir, 'worktrees/other/HEAD'), 'ref: refs/heads/main\n')
    writeFileSync(join(commonDir, 'worktrees/other/gitdir'), '/nowhere/.git\n')
    writeFileSync(join(commonDir, 'worktrees/other/locked'), 'by a person\n')
    const before = kept()
    const objects = everythingIn(join(commonDir, 'objects'), [])
    const refs = bench
      .git(['for-each-ref'])
      .split('\n')
      .filter((line) => !line.endsWith(branch))
    await run(
      command
        .replaceAll('C/', `${commonDir}/`)
        .replaceAll('E/', `${commonDir}/worktrees/$(basename $PWD)/`)
        .replaceAll('C2', `${commonDir}2`)
        .replaceAll(' C;', ` ${commonDir};`),
    )
    expect(kept()).toEqual(before)
    const now = everythingIn(join(commonDir, 'objects'), [])
    for (const [name, content] of objects) expect(now.get(name), name).toBe(content)
    expect(
      bench
        .git(['for-each-ref'])
        .split('\n')
        .filter((line) => !line.endsWith(branch)),
    ).toEqual(refs)
    for (const place of [folder, bench.repository]) bench.git(['status', '--short'], place)
    at(['commit', '-q', '--allow-empty', '-m', 'by a person'])
    expect(existsSync(join(folder, 'ran'))).toBe(false)
    expect(bench.git(['fsck', '--no-dangling'])).toBe('')
    expect(bench.git(['worktree', 'list'])).toContain(folder)
  })

  it('[WS12] brings in nothing that it could not read itself, and no object under the name of another', async () => {
    const secret = join(bench.folder, 'elsewhere')
    mkdirSync(secret)
    bench.git(['init', '-q', '.'], secret)
    bench.write('secret.txt', 'CANARY', secret)
    bench.git(['add', '.'], secret)
    bench.git(['commit', '-qm', 'secret'], secret)
    const hidden = bench.git(['rev-parse', 'HEAD:secret.txt'], secret).trim()
    const first = bench.git(['rev-parse', 'HEAD:readme.md']).trim()
    await run(
      [
        `echo ${secret}/.git/objects >> ${commonDir}/objects/info/alternates`,
        `ln -s ${secret}/.git/objects/${hidden.slice(0, 2)} ${commonDir}/objects/${hidden.slice(0, 2)}`,
        `rm -rf ${commonDir}/objects/pack; ln -s ${secret}/.git/objects/pack ${commonDir}/objects/pack`,
        'echo a > a.txt; git add a.txt; git commit -qm a',
        // The file of one object under the name of another.
        `f=$(git rev-parse HEAD:a.txt); mkdir -p ${commonDir}/objects/${first.slice(0, 2)}`,
        `cp ${commonDir}/objects/$(echo $f | cut -c1-2)/$(echo $f | cut -c3-) ${commonDir}/objects/${first.slice(0, 2)}/${first.slice(2)}`,
      ].join('\n'),
    )
    expect(() => bench.git(['cat-file', '-e', hidden])).toThrow()
    expect(bench.git(['cat-file', 'blob', first])).toBe('first\nsecond\nthird\n')
    expect(bench.git(['fsck', '--strict', '--no-dangling'])).toBe('')
  })

  it('[WS12] hides no file from git, and sees nothing of the home folder', async () => {
    await run('echo changed >> readme.md; git update-index --assume-unchanged readme.md; echo n > n.txt; git add n.txt')
    expect(at(['status', '--short'])).toBe('A  n.txt\n M readme.md\n')
    const said = await run(
      `cat ${bench.home}/secret.txt; ls ${bench.folder}/data; cat ~/.gitconfig; grep CapEff /proc/self/status`,
    )
    expect(said).not.toContain('CANARY')
    expect(said).toContain('CapEff:\t0000000000000000')
  })

  it('[WS12] runs on where nothing can be committed: in the middle of a merge, off its branch, without its repository', async () => {
    at(['checkout', '-q', '--detach'])
    expect(await run('echo d > d.txt; git add d.txt')).toContain('Read-only file system')
    at(['checkout', '-q', branch])
    rmSync(join(commonDir, 'worktrees'), { recursive: true })
    expect(await run('echo still; cat d.txt')).toContain('still\nd\n')
    expect(readFileSync(join(folder, 'd.txt'), 'utf8')).toBe('d\n')
    expect(execFileSync('git', ['-C', bench.repository, 'fsck'], { encoding: 'utf8' })).toBe('')
  })
})
