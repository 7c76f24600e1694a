import { createHash } from 'node:crypto'
import { constants, type Stats } from 'node:fs'
import { chmod, lstat, mkdir, open, readlink, rm, rmdir, symlink, writeFile } from 'node:fs/promises'
import type { Clock } from '@holdfast/conversation'
import { stagedOf } from './entry-of.ts'
import type { Git } from './git.ts'
import type { KeptFile, Snapshot, SnapshotShelf } from './snapshot-shelf.ts'
import { findUncommitted, type Uncommitted } from './uncommitted.ts'
import { WorktreeRefusal } from './worktree-refusal.ts'

/** What a snapshot is made with. */
export interface SnapshotDeps {
  readonly git: Git
  readonly shelf: SnapshotShelf
  readonly clock: Clock
  /** The most that one may hold, in bytes. */
  readonly mostBytes: () => number
}

/** The worktree that it is made of. */
export interface SnapshotSource {
  readonly worktreeId: string
  /** The top of the worktree. */
  readonly folder: string
}

/**
 * Keeps all that is not committed in a worktree: files, links, rights, deletions, and what is staged. What git ignores
 * is not among it. It is durable when this resolves. [WS8]
 *
 * @returns null where everything is committed.
 * @throws {WorktreeRefusal} where it would be too much, is changed meanwhile, or cannot be kept whole.
 */
export async function takeSnapshot(deps: SnapshotDeps, source: SnapshotSource): Promise<Snapshot | null> {
  const { git, shelf, clock } = deps
  const { worktreeId, folder } = source
  const found = await findUncommitted(git, folder)
  if (found.length === 0) return null
  if (found.length > MOST_FILES)
    throw new WorktreeRefusal(
      'too-large',
      `${found.length} files in ${folder} are not committed; a snapshot holds ${MOST_FILES}. Commit them first.`,
    )
  const before = new Map<string, string>()
  let sizeBytes = 0
  for (const { path, type } of found) {
    const stats = type === 'gone' ? null : await statsOf(folder, path)
    before.set(path, signOf(stats))
    sizeBytes += stats?.size ?? 0
  }
  const most = deps.mostBytes()
  if (sizeBytes > most)
    throw new WorktreeRefusal(
      'too-large',
      `What is not committed in ${folder} is ${sizeBytes} bytes, and a snapshot holds ${most}. Commit it, remove what is not wanted, or raise the setting.`,
    )
  const files: KeptFile[] = []
  for (const one of found) files.push(await keep(shelf, source, one))
  const staged = await keepStaged(git, source)
  for (const { path, type } of await findUncommitted(git, folder))
    if (before.get(path) !== signOf(type === 'gone' ? null : await statsOf(folder, path))) throw changing(folder)
  const snapshot = { files, staged, at: clock.now() }
  await shelf.put(worktreeId, snapshot)
  return snapshot
}

/**
 * Brings what was not committed back into a fresh checkout of the same commit.
 *
 * @throws {WorktreeRefusal} where the store has not all of it. What is there then is not whole.
 */
export async function bringBack(deps: SnapshotDeps, source: SnapshotSource, snapshot: Snapshot): Promise<void> {
  const { folder, worktreeId } = source
  for (const { path, type } of snapshot.files) if (type === 'gone') await removeWithEmptyFolders(folder, path)
  for (const file of snapshot.files) {
    if (file.type === 'gone') continue
    const content = await deps.shelf.content({ worktreeId, hash: file.hash })
    if (content === null || hashOf(content) !== file.hash)
      throw new WorktreeRefusal(
        'gone',
        `The content of ${shown(file.path)} is not whole in the store. Restore a backup.`,
      )
    const at = pathIn(folder, Buffer.from(file.path, 'base64'))
    await mkdir(parentOf(at), { recursive: true })
    await rm(at, { force: true, recursive: true })
    if (file.type === 'link') await symlink(content, at)
    else {
      await writeFile(at, content, { flag: 'wx', mode: file.mode })
      await chmod(at, file.mode)
    }
  }
  if (snapshot.staged !== null) await deps.git.text({ folder, args: ['read-tree', `${snapshot.staged}^{tree}`] })
}

const MOST_FILES = 50_000
const RIGHTS = 0o777

async function keep(shelf: SnapshotShelf, { worktreeId, folder }: SnapshotSource, one: Uncommitted): Promise<KeptFile> {
  const path = Buffer.from(one.path, 'latin1').toString('base64')
  const stats = one.type === 'gone' ? null : await statsOf(folder, one.path)
  if (stats === null) return { path, type: 'gone', mode: 0, sizeBytes: 0, hash: '' }
  const at = pathIn(folder, Buffer.from(one.path, 'latin1'))
  if (!stats.isFile() && !stats.isSymbolicLink())
    throw new WorktreeRefusal(
      'nested',
      `${shown(path)} is neither a file nor a link and cannot be kept; remove it, then try again.`,
    )
  const isLink = stats.isSymbolicLink()
  const content = isLink ? await readlink(at, { encoding: 'buffer' }) : await readWhole(at)
  const hash = hashOf(content)
  await shelf.putContent({ worktreeId, hash }, content)
  return { path, type: isLink ? 'link' : 'file', mode: stats.mode & RIGHTS, sizeBytes: content.byteLength, hash }
}

async function readWhole(path: Buffer): Promise<Buffer> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    return await handle.readFile()
  } finally {
    await handle.close()
  }
}

/** What is staged as a commit that a ref of ours keeps; null in the middle of a merge, which no tree can tell. */
async function keepStaged(git: Git, { worktreeId, folder }: SnapshotSource): Promise<string | null> {
  const tree = await git.run({ folder, args: ['write-tree'] })
  if (tree.exitCode !== 0) return null
  const name = { GIT_AUTHOR_NAME: 'Holdfast', GIT_AUTHOR_EMAIL: 'holdfast@localhost' }
  const committer = { GIT_COMMITTER_NAME: 'Holdfast', GIT_COMMITTER_EMAIL: 'holdfast@localhost' }
  const args = ['commit-tree', tree.stdout.trim(), '-p', 'HEAD', '-m', 'What was staged']
  const commit = (await git.text({ folder, args, environment: { ...name, ...committer } })).trim()
  await git.text({ folder, args: ['update-ref', stagedOf(worktreeId), commit] })
  return commit
}

async function removeWithEmptyFolders(folder: string, path: string): Promise<void> {
  const names = Buffer.from(path, 'base64').toString('latin1').split('/')
  await rm(pathIn(folder, Buffer.from(names.join('/'), 'latin1')), { force: true, recursive: true })
  for (let depth = names.length - 1; depth > 0; depth -= 1) {
    try {
      await rmdir(pathIn(folder, Buffer.from(names.slice(0, depth).join('/'), 'latin1')))
    } catch (error) {
      if (error instanceof Error && 'code' in error && NOT_EMPTY.has(error.code)) return
      throw error
    }
  }
}

const NOT_EMPTY: ReadonlySet<unknown> = new Set(['ENOTEMPTY', 'EEXIST', 'ENOENT', 'ENOTDIR'])

async function statsOf(folder: string, path: string): Promise<Stats | null> {
  try {
    return await lstat(pathIn(folder, Buffer.from(path, 'latin1')))
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return null
    throw error
  }
}

function signOf(stats: Stats | null): string {
  return stats === null ? 'gone' : [stats.ino, stats.size, stats.mtimeMs, stats.ctimeMs, stats.mode].join(' ')
}

function changing(folder: string): WorktreeRefusal {
  return new WorktreeRefusal(
    'busy',
    `Files in ${folder} are being changed right now; wait until that has ended, then try again.`,
  )
}

function pathIn(folder: string, path: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${folder}/`), path])
}

function parentOf(path: Buffer): Buffer {
  return path.subarray(0, path.lastIndexOf('/'))
}

function hashOf(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

function shown(base64: string): string {
  return Buffer.from(base64, 'base64').toString('utf8')
}
