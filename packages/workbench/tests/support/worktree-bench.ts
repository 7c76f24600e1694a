import { execFileSync } from 'node:child_process'
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@holdfast/engine/system'
import { createMemoryStore } from '@holdfast/store/memory'
import {
  createGit,
  openWorktrees,
  type WorktreeBounds,
  type WorktreesDeps,
  type WorktreeWish,
} from '@holdfast/workbench'

/** Who commits in tests, and no settings of the machine. */
const ENVIRONMENT = {
  PATH: process.env['PATH'] ?? '',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'Ann',
  GIT_AUTHOR_EMAIL: 'ann@example.org',
  GIT_COMMITTER_NAME: 'Ann',
  GIT_COMMITTER_EMAIL: 'ann@example.org',
}

/** A repository with one commit, and worktrees beside it. To be removed by `remove`. */
export function openBench() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'holdfast-worktrees-')))
  const repository = join(folder, 'repository')
  const home = join(folder, 'home')
  const root = join(folder, 'data', 'worktrees')
  for (const path of [repository, home]) mkdirSync(path, { recursive: true })
  const { records } = createMemoryStore({ clock: systemClock })
  const bounds: { -readonly [Name in keyof WorktreeBounds]: number } = {
    mostWorktrees: 10,
    mostWorktreeBytes: 1e10,
    mostSnapshotBytes: 1e8,
  }
  const git = (args: readonly string[], at = repository): string =>
    execFileSync('git', ['-C', at, ...args], {
      env: { ...ENVIRONMENT, HOME: home },
      encoding: 'latin1',
      stdio: ['pipe', 'pipe', 'pipe'],
    })
  const write = (path: string, text: string | Buffer, at = repository): void => {
    mkdirSync(join(at, path, '..'), { recursive: true })
    writeFileSync(join(at, path), text)
  }
  git(['init', '--quiet', '--initial-branch=main'])
  write('readme.md', 'first\nsecond\nthird\n')
  write('.gitignore', '.env\nnode_modules/\n')
  git(['add', 'readme.md', '.gitignore'])
  git(['commit', '--quiet', '-m', 'begin'])
  const program = execFileSync('/bin/sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim()
  const ended = new AbortController()
  return {
    folder,
    repository,
    root,
    home,
    records,
    bounds,
    git,
    write,
    wish: (more: Partial<WorktreeWish> = {}): WorktreeWish => ({
      ownerId: 'ann',
      conversationId: 'c1',
      folder: repository,
      title: 'Mend the parser',
      brought: [],
      setupCommand: null,
      carries: false,
      ...more,
    }),
    /** Starts the server's part: it reads the records and ends what was left in the middle. */
    open: (more: Partial<WorktreesDeps> = {}) =>
      openWorktrees({
        records,
        clock: systemClock,
        git: createGit({
          program,
          environment: { PATH: ENVIRONMENT.PATH, HOME: home },
          register: null,
          clock: systemClock,
          signal: ended.signal,
        }),
        root,
        machine: 'machine',
        bounds: () => bounds,
        gh: null,
        runSetup: async ({ command }) => ({ command, exitCode: 0, output: '', durationMs: 0 }),
        beforeStep: async () => {},
        ...more,
      }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** Every file, link and empty folder below a folder with its bytes and rights, `.git` left out; names as bytes. */
export function everythingIn(folder: string, leftOut: readonly string[] = ['.git']): Map<string, string> {
  const found = new Map<string, string>()
  const walk = (path: Buffer, name: string): void => {
    for (const entry of readdirSync(path, { encoding: 'buffer' })) {
      const text = entry.toString('latin1')
      const at = name === '' ? text : `${name}/${text}`
      if (leftOut.includes(at)) continue
      const full = Buffer.concat([path, Buffer.from('/'), entry])
      const stats = lstatSync(full)
      if (stats.isDirectory()) walk(full, at)
      else if (stats.isSymbolicLink()) found.set(at, `link ${readlinkSync(full, { encoding: 'latin1' })}`)
      else found.set(at, `${(stats.mode & 0o777).toString(8)} ${readFileSync(full).toString('base64')}`)
    }
  }
  walk(Buffer.from(folder), '')
  return found
}
