import { lstat, mkdir, open, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { createTurns } from '@holdfast/conversation'
import type { CommitPlace, CommitRoom } from '@holdfast/toolbox'
import type { Worktree } from './book.ts'
import { identityOf } from './commit-all.ts'
import { sizeOnDisk } from './folder-size.ts'
import type { Git } from './git.ts'
import { inProgress } from './repository.ts'
import { newRoom, removeFolder } from './room-folder.ts'
import { WorktreeRefusal } from './worktree-refusal.ts'

/** More than this is not taken over, in bytes. */
const MOST_BYTES = 64_000_000
/** No log of refs is begun in a folder that cannot be written, and nothing is tidied up there. */
const SETTINGS: readonly (readonly [key: string, value: string])[] = [
  ['core.logAllRefUpdates', 'false'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
]
const NO_LOG = [['core.logAllRefUpdates', 'false']] as const
/** What the branches of worktrees were, where a person commits to one. */
const LOGS = 'logs/refs/heads/holdfast'
/** What of git's notes of a worktree a command begins with. */
const COPIED = ['HEAD', 'index', 'commondir', 'gitdir', 'config.worktree', 'ORIG_HEAD']

/**
 * Makes the rooms in which commands of a worktree commit, one for each: what git writes there is a copy, or stands beside
 * what there is. After the command its new objects go into the repository by their content, the branch of the worktree
 * moves to the new commit, and what is staged is written down anew; all else that was written there is forgotten.
 * [WS12, SEC7]
 */
export function createCommitRoom(git: Git, worktree: Worktree): CommitRoom {
  const inTurn = createTurns()

  async function begin(): Promise<CommitPlace | null> {
    const room = await prepare(git, worktree, newRoom(worktree))
    return (
      room && {
        args: argumentsFor(room),
        environment: environmentFor(room),
        finish: () =>
          inTurn(async () => {
            try {
              return await takeOver(git, room)
            } catch (error) {
              // The command has run: what it printed is not lost for that.
              if (!isExpected(error)) throw error
              return [`What it committed was not taken over: ${error.message}. The files are as they are.`]
            } finally {
              await removeFolder(room.path)
            }
          }),
      }
    )
  }

  return {
    begin: () =>
      inTurn(async () => {
        try {
          return await begin()
        } catch (error) {
          // Where the repository is gone or cannot be written, commands run and cannot commit.
          if (isExpected(error)) return null
          throw error
        }
      }),
  }
}

/** Where one command commits. */
interface Room {
  readonly path: string
  readonly worktree: Worktree
  /** Git's notes of the worktree. */
  readonly entry: string
  /** The commit that its branch stood at. */
  readonly tip: string
  /** What was staged. */
  readonly staged: string
  readonly hasLogs: boolean
}

async function prepare(git: Git, worktree: Worktree, path: string): Promise<Room | null> {
  const { commonDir, folder, id, branch } = worktree
  const entry = join(commonDir, 'worktrees', id)
  const ref = `refs/heads/${branch}`
  const [on, stands, staged, who] = await Promise.all([
    git.run({ folder, args: ['symbolic-ref', '--quiet', 'HEAD'] }),
    git.run({ folder: commonDir, args: ['rev-parse', '--verify', '--quiet', ref] }),
    stagedIn(git, folder, {}),
    whoCommits(git, folder),
  ])
  if (on.stdout.trim() !== ref || stands.exitCode !== 0 || inProgress({ gitDir: entry }) !== null) return null
  // In other forms of repositories refs are no files.
  if (!(await isFolder(join(commonDir, 'refs', 'heads')))) return null
  const tip = stands.stdout.trim()
  for (const name of ['objects/info', 'objects/pack', 'entry/modules', 'heads', 'logs'])
    await mkdir(join(path, name), { recursive: true, mode: 0o700 })
  await mkdir(join(commonDir, 'refs/heads/holdfast'), { recursive: true })
  await writeFile(join(path, 'objects/info/alternates'), `${join(path, 'base')}\n`)
  await writeFile(join(path, 'heads', basename(branch)), `${tip}\n`)
  const log = basename(branch)
  await copyIfThere(join(commonDir, LOGS, log), join(path, 'logs', log))
  for (const name of COPIED) await copyIfThere(join(entry, name), join(path, 'entry', name))
  await writeFile(join(path, 'gitconfig'), who, 'latin1')
  return { path, worktree, entry, tip, staged, hasLogs: await isFolder(join(commonDir, LOGS)) }
}

/** The home folder with the person's own settings is not seen in there. */
async function whoCommits(git: Git, folder: string): Promise<string> {
  const said = async (key: string) => (await git.run({ folder, args: ['config', key] })).stdout.trim()
  const [unknown, ownName, ownEmail] = await Promise.all([
    identityOf(git, folder),
    said('user.name'),
    said('user.email'),
  ])
  const name = unknown['GIT_AUTHOR_NAME'] ?? ownName
  const email = unknown['GIT_AUTHOR_EMAIL'] ?? ownEmail
  const quoted = (text: string) => `"${text.replace(/[\\"]/g, '\\$&')}"`
  return `[user]\n\tname = ${quoted(name)}\n\temail = ${quoted(email)}\n`
}

function argumentsFor({ path, worktree: { commonDir }, entry, hasLogs }: Room): readonly string[] {
  const objects = join(commonDir, 'objects')
  const modules = join(entry, 'modules')
  return [
    ...['--bind', join(path, 'objects'), objects, '--ro-bind', objects, join(path, 'base')],
    ...['--bind', join(path, 'entry'), entry, '--ro-bind-try', modules, modules],
    ...['--bind', join(path, 'heads'), join(commonDir, 'refs/heads/holdfast')],
    ...(hasLogs ? ['--bind', join(path, 'logs'), join(commonDir, LOGS)] : []),
    ...['--ro-bind', join(path, 'gitconfig'), join(path, 'gitconfig')],
  ]
}

function environmentFor({ path }: Room): Readonly<Record<string, string>> {
  return Object.fromEntries([
    ['GIT_CONFIG_GLOBAL', join(path, 'gitconfig')],
    ['GIT_CONFIG_COUNT', String(SETTINGS.length)],
    ...SETTINGS.flatMap(([key, value], at) => [
      [`GIT_CONFIG_KEY_${at}`, key],
      [`GIT_CONFIG_VALUE_${at}`, value],
    ]),
  ])
}

async function takeOver(git: Git, room: Room): Promise<readonly string[]> {
  const { path, worktree, tip } = room
  const { commonDir, folder, branch } = worktree
  const made = /^([0-9a-f]{40}|[0-9a-f]{64})\n$/.exec((await textOf(join(path, 'heads', basename(branch)))) ?? '')?.[1]
  const own = join(path, 'entry/index')
  const isOther = (await isFile(own)) && !(await haveSameBytes(own, join(room.entry, 'index')))
  const staged = isOther ? await stagedIn(git, folder, { GIT_INDEX_FILE: own }) : room.staged
  const isCommitted = made !== undefined && made !== tip
  const isStaged = staged !== room.staged
  const lost = made === undefined ? [`${branch} was no branch any more; it stays at ${tip}.`] : []
  if (!isCommitted && !isStaged) return lost
  await importObjects(git, room)
  if (isCommitted) {
    await git.text({ folder: commonDir, args: ['rev-parse', '--verify', `${made}^{commit}`] })
    await git.text({ folder: commonDir, args: ['rev-list', '--objects', '--quiet', made, '--not', tip] })
    const args = ['update-ref', `refs/heads/${branch}`, made, tip]
    await git.text({ folder: commonDir, args, settings: NO_LOG })
  }
  if (!isStaged) return lost
  if ((await stagedIn(git, folder, {})) !== room.staged)
    return [...lost, 'What it staged was not taken over: something else was staged meanwhile.']
  await stage(git, room, staged)
  return lost
}

function stagedIn(git: Git, folder: string, environment: Readonly<Record<string, string>>): Promise<string> {
  return git.text({ folder, args: ['ls-files', '--stage', '-z'], environment })
}

/** By their content: whatever a file in there is called, it becomes what it is. */
async function importObjects(git: Git, { path, worktree: { commonDir } }: Room): Promise<void> {
  const own = join(path, 'objects')
  await keepPlainFiles(own)
  const sizeBytes = await sizeOnDisk(own)
  if (sizeBytes > MOST_BYTES)
    throw new WorktreeRefusal('system', `it takes ${sizeBytes} bytes, and at most ${MOST_BYTES} are taken over`)
  const from = { GIT_OBJECT_DIRECTORY: own }
  const names = await git.text({
    folder: commonDir,
    args: ['cat-file', '--batch-all-objects', '--batch-check=%(objectname)'],
    environment: from,
  })
  if (names === '') return
  const packed = await git.text({
    folder: commonDir,
    args: ['pack-objects', '--stdout', '--quiet'],
    input: names,
    environment: { ...from, GIT_ALTERNATE_OBJECT_DIRECTORIES: join(commonDir, 'objects') },
  })
  await git.text({ folder: commonDir, args: ['unpack-objects', '-q', '--strict'], input: packed })
}

/** No link, and no word of where more objects are, is followed to what the command itself could not read. */
async function keepPlainFiles(objects: string): Promise<void> {
  for (const name of await readdir(objects)) {
    const path = join(objects, name)
    if (name === 'info' || !(await isFolder(path))) {
      await removeFolder(path)
      continue
    }
    for (const inner of await readdir(path))
      if (!(await isFile(join(path, inner)))) await removeFolder(join(path, inner))
  }
}

/** Anew: what else an index can say, such as which files are not to be looked at, is left behind. */
async function stage(git: Git, { path, worktree: { folder }, entry }: Room, staged: string): Promise<void> {
  const environment = { GIT_INDEX_FILE: join(path, 'new-index') }
  await git.text({ folder, args: ['read-tree', '--empty'], environment })
  await git.text({ folder, args: ['update-index', '-z', '--index-info'], input: staged, environment })
  // Another end than 0 says only that files differ from what is staged.
  await git.run({ folder, args: ['update-index', '-q', '--refresh'], environment })
  const lock = join(entry, 'index.lock')
  const handle = await open(lock, 'wx')
  try {
    await handle.writeFile(await readFile(environment.GIT_INDEX_FILE))
  } finally {
    await handle.close()
  }
  await rename(lock, join(entry, 'index'))
}

function isExpected(error: unknown): error is Error {
  return error instanceof WorktreeRefusal || (error instanceof Error && 'syscall' in error)
}

async function isFolder(path: string): Promise<boolean> {
  return (await statOrNull(path))?.isDirectory() === true
}

async function isFile(path: string): Promise<boolean> {
  return (await statOrNull(path))?.isFile() === true
}

async function statOrNull(path: string) {
  try {
    return await lstat(path)
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) return null
    throw error
  }
}

/** Null for what is no plain file: a link could lead anywhere. */
async function textOf(path: string): Promise<string | null> {
  return (await isFile(path)) ? readFile(path, 'utf8') : null
}

async function haveSameBytes(one: string, other: string): Promise<boolean> {
  return (await isFile(other)) && (await readFile(one)).equals(await readFile(other))
}

async function copyIfThere(from: string, to: string): Promise<void> {
  if (await isFile(from)) await writeFile(to, await readFile(from))
}
