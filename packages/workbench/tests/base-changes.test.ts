import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '@holdfast/engine/system'
import type { FileChange } from '@holdfast/tool'
import { decideChanges, openWorkspace, readChanges } from '@holdfast/toolbox'
import { baseChanges, createGit } from '@holdfast/workbench'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openBench } from './support/worktree-bench.ts'

let bench: ReturnType<typeof openBench>
beforeEach(() => {
  bench = openBench()
})
afterEach(() => bench.remove())

const signal = new AbortController().signal
const marks = { kept: new Set<string>(), rejected: new Set<string>() }
const SCRIPT = '#!/bin/sh\necho one\n'

/** A branch with a commit of its own, changes that are staged, that are not, and files that git does not know. */
function changeTree(): { readonly base: string; readonly folder: string } {
  const folder = bench.repository
  const at = (path: string) => join(folder, path)
  bench.write('crlf.txt', 'one\r\ntwo\r\n')
  bench.write('binary.bin', Buffer.from([0, 1, 2, 255]))
  bench.write('gone.txt', 'gone\n')
  bench.write('run.sh', SCRIPT)
  bench.write('moved.txt', 'a text that moves\n')
  symlinkSync('readme.md', at('link'))
  bench.git(['add', '.'])
  bench.git(['commit', '--quiet', '-m', 'More'])
  const base = bench.git(['rev-parse', 'HEAD']).trim()
  bench.git(['checkout', '--quiet', '-b', 'work'])
  writeFileSync(at('readme.md'), 'first\nSECOND\nthird\n')
  bench.git(['commit', '--quiet', '-am', 'Second'])
  writeFileSync(at('crlf.txt'), 'one\r\nTWO\r\n')
  bench.git(['add', 'crlf.txt'])
  writeFileSync(at('binary.bin'), Buffer.from([0, 9]))
  chmodSync(at('run.sh'), 0o755)
  rmSync(at('gone.txt'))
  unlinkSync(at('link'))
  symlinkSync('run.sh', at('link'))
  rmSync(at('moved.txt'))
  mkdirSync(at('new'))
  writeFileSync(at('new/moved.txt'), 'a text that moves\n')
  writeFileSync(at('new/file.txt'), 'without an end')
  writeFileSync(at('.env'), 'KEY=1')
  return { base, folder }
}

const git = () =>
  createGit({
    program: '/usr/bin/git',
    environment: { PATH: process.env['PATH'], HOME: bench.folder, GIT_CONFIG_NOSYSTEM: '1' },
    register: null,
    clock: systemClock,
    signal,
  })

async function compared() {
  const { base, folder } = changeTree()
  const workspace = openWorkspace({ root: folder, closed: [] })
  const worktree = { folder, baseBranch: 'main', baseCommit: base }
  const found = await baseChanges(git(), worktree, { workspace, signal })
  return { base, folder, workspace, found }
}

it('[WS22] the base goes on where the branch takes in what it began at, and what came with that is nobody’s change', async () => {
  const folder = bench.repository
  const began = bench.git(['rev-parse', 'HEAD']).trim()
  bench.git(['checkout', '--quiet', '-b', 'work'])
  bench.write('mine.txt', 'mine\n')
  bench.git(['add', '.'])
  bench.git(['commit', '--quiet', '-m', 'Mine'])
  bench.git(['checkout', '--quiet', 'main'])
  bench.write('theirs.txt', 'theirs\n')
  bench.git(['add', '.'])
  bench.git(['commit', '--quiet', '-m', 'Theirs'])
  const theirs = bench.git(['rev-parse', 'HEAD']).trim()
  bench.git(['checkout', '--quiet', 'work'])
  bench.git(['merge', '--quiet', '-m', 'Both', 'main'])
  const workspace = openWorkspace({ root: folder, closed: [] })
  const found = await baseChanges(git(), { folder, baseBranch: 'main', baseCommit: began }, { workspace, signal })
  expect(found.base).toBe(theirs)
  expect(found.changes.map(({ path }) => path)).toEqual(['mine.txt'])
})

it('[WS22] against the base of its branch: what is committed, staged, changed and new, with links, rights, moves and bytes', async () => {
  const { base, workspace, found } = await compared()
  expect(found.base).toBe(base)
  const files = await readChanges(workspace, found.changes, { readBlob: found.readBlob, marks, signal })
  const byPath = new Map(files.map((file) => [file.path, file]))
  expect([...byPath.keys()].sort()).toEqual(
    ['binary.bin', 'crlf.txt', 'gone.txt', 'link', 'new/file.txt', 'new/moved.txt', 'readme.md', 'run.sh'].sort(),
  )
  expect(byPath.get('readme.md')?.hunks[0]?.lines).toEqual([' first', '-second', '+SECOND', ' third'])
  expect(byPath.get('crlf.txt')?.hunks[0]?.lines).toEqual([' one\r', '-two\r', '+TWO\r'])
  expect(byPath.get('binary.bin')).toMatchObject({ bytes: { before: 4, after: 2 }, hunks: [] })
  expect(byPath.get('run.sh')).toMatchObject({ status: 'changed', hunks: [], rights: { after: 0o755 } })
  expect(byPath.get('gone.txt')).toMatchObject({ status: 'deleted', additions: 0, deletions: 1 })
  expect(byPath.get('link')).toMatchObject({ entity: 'link', leads: { before: 'readme.md', after: 'run.sh' } })
  expect(byPath.get('new/moved.txt')).toMatchObject({ status: 'renamed', from: 'moved.txt', hunks: [] })
  expect(byPath.get('new/file.txt')).toMatchObject({ status: 'added', act: 'delete' })
})

it('[WS22, WS20] rejecting all of it gives the files of the base, by what git itself says, and touches no commit', async () => {
  const { base, folder, workspace, found } = await compared()
  const head = bench.git(['rev-parse', 'HEAD'])
  const files = await readChanges(workspace, found.changes, { readBlob: found.readBlob, marks, signal })
  const made: FileChange[] = []
  const ports = {
    blobSink: {
      keep: async (content: AsyncIterable<Uint8Array>) => {
        let sizeBytes = 0
        for await (const piece of content) sizeBytes += piece.byteLength
        return { hash: '0'.repeat(64), sizeBytes, mediaType: 'application/octet-stream' }
      },
    },
    onChanged: (changes: readonly FileChange[]) => void made.push(...changes),
  }
  const decisions = files.map(({ path, id }) => ({ path, seen: id, keep: false }))
  const decided = await decideChanges(
    workspace,
    { changes: found.changes, decisions },
    { readBlob: found.readBlob, marks, ports, call: { signal }, meanwhile: 'leave', onPlanned: async () => {} },
  )
  expect(decided.conflicts).toEqual([])
  expect(bench.git(['diff', base])).toBe('')
  expect(bench.git(['ls-files', '--others', '--exclude-standard'])).toBe('')
  expect(bench.git(['rev-parse', 'HEAD'])).toBe(head)
  expect(readFileSync(join(folder, '.env'), 'utf8')).toBe('KEY=1')
})
