import { randomUUID } from 'node:crypto'
import { constants, type Stats } from 'node:fs'
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Clock, createTurns } from '@holdfast/conversation'
import { FileRefusal } from '../workspace/file-refusal.ts'
import { OPEN_SAFELY, statOrNull } from '../workspace/held-folder.ts'
import { findGitFolders, type GitFolders, holdBelow } from './git-folders.ts'
import { type GitSetting, isHarmless, readGitSettings, writeGitSettings } from './git-settings.ts'

/** Keeps commands from leaving what git runs later, outside. [SEC7] */
export interface GitGuard {
  /** Before a command: what the sandbox needs so that git's settings and hooks can only be read. */
  begin(rootPath: string): Promise<readonly string[]>
  /** After it: takes back what it left, and says what that was. Called once for each `begin`. */
  finish(rootPath: string): Promise<readonly string[]>
}

/** What the guard works with. */
export interface GitGuardDeps {
  /** Path of `find`. */
  readonly find: string
  /** Path of `git`, null where there is none. */
  readonly git: string | null
  readonly clock: Clock
}

/** Nothing runs yet. Commands in one folder share one guard. */
export function createGitGuard(deps: GitGuardDeps): GitGuard {
  const watched = new Map<string, Watched>()
  const inTurn = createTurns()
  return {
    begin: (rootPath) =>
      inTurn(async () => {
        const known = watched.get(rootPath)
        // While a command runs, what is new may be its own: the paths of the first one hold until the last has ended.
        if (known) {
          watched.set(rootPath, { ...known, runningCount: known.runningCount + 1 })
          return known.args
        }
        const found = await findGitFolders(rootPath, deps)
        const before = new Map<string, Before>()
        for (const path of outermost(found)) {
          const one = await prepare(rootPath, path)
          if (one) before.set(path, one)
        }
        const args = argumentsFor(rootPath, { before, pointers: found.pointers })
        watched.set(rootPath, { runningCount: 1, before, args })
        return args
      }),
    finish: (rootPath) =>
      inTurn(async () => {
        const state = watched.get(rootPath)
        if (!state) throw new Error(`No command was begun in ${rootPath}`)
        const isLast = state.runningCount === 1
        if (isLast) watched.delete(rootPath)
        else watched.set(rootPath, { ...state, runningCount: state.runningCount - 1 })
        if (isLast) for (const [path, { hasGuard }] of state.before) if (hasGuard) await removeGuard(rootPath, path)
        try {
          const { repositories } = await findGitFolders(rootPath, deps)
          const remarks: string[] = []
          for (const path of repositories) {
            const known = state.before.get(path) ?? null
            remarks.push(...(await takeBack({ rootPath, path, known, repositories }, deps)))
          }
          return remarks
        } catch (error) {
          // The command has run: what it printed is not lost for that.
          if (error instanceof FileRefusal) return [error.message]
          throw error
        }
      }),
  }
}

interface Watched {
  readonly runningCount: number
  readonly before: ReadonlyMap<string, Before>
  readonly args: readonly string[]
}

/** What stood in a folder of git before the command. */
interface Before {
  readonly config: string | null
  readonly worktreeConfig: string | null
  readonly commondir: string | null
  readonly todo: string | null
  readonly hooks: number | null
  /** Whether `commondir` is ours, so that no command can make one. */
  readonly hasGuard: boolean
}

/** Folders that only settings and hooks are in; they are there in most repositories. */
const FOLDERS = ['hooks', 'info', 'modules', 'worktrees'] as const
/** It names the folder itself: git reads it as if it were not there. */
const GUARD = '.\n'
const TODO = 'rebase-merge/git-rebase-todo'
const MOST_TEXT_BYTES = 1_048_576

/** What lies in the modules and worktrees of another is read-only with them. */
function outermost({ repositories }: GitFolders): readonly string[] {
  return repositories.filter(
    (path) => !repositories.some((other) => FOLDERS.some((name) => path.startsWith(`${join(other, name)}/`))),
  )
}

/** Makes what has to be there to be bound. Null when the folder is gone. */
async function prepare(rootPath: string, path: string): Promise<Before | null> {
  const held = await holdBelow(rootPath, path)
  if (!held) return null
  try {
    const { at } = held
    for (const name of FOLDERS)
      if ((await statOrNull(`${at}/${name}`)) === null) await whereWritable(() => mkdir(`${at}/${name}`))
    for (const name of ['config', 'config.worktree'])
      if ((await statOrNull(`${at}/${name}`)) === null) await whereWritable(() => writeNew(`${at}/${name}`, ''))
    const config = await textOf(`${at}/config`)
    const found = await textOf(`${at}/commondir`)
    const isAbsent = (await statOrNull(`${at}/commondir`)) === null
    // With that file git does not look for these two settings: where they are, there is none.
    const hasGuard = found === GUARD || (isAbsent && !/worktree|bare\s*=\s*[^f\s]/i.test(config ?? ''))
    if (hasGuard && isAbsent) await whereWritable(() => writeNew(`${at}/commondir`, GUARD))
    return {
      config,
      worktreeConfig: await textOf(`${at}/config.worktree`),
      commondir: hasGuard ? null : found,
      todo: await textOf(`${at}/${TODO}`),
      hooks: folderNumber(await statOrNull(`${at}/hooks`)),
      hasGuard,
    }
  } finally {
    await held.handle.close()
  }
}

function argumentsFor(
  rootPath: string,
  { before, pointers }: { readonly before: ReadonlyMap<string, Before>; readonly pointers: readonly string[] },
): readonly string[] {
  const readOnly = (path: string) => ['--ro-bind-try', path, path]
  return [
    ...[...before].flatMap(([path, { hasGuard }]) => {
      const folder = join(rootPath, path)
      const files = ['config', 'config.worktree', ...(hasGuard ? ['commondir'] : [])]
      // Bound to itself it is a mount, and cannot be moved away.
      return ['--bind-try', folder, folder, ...[...FOLDERS, ...files].flatMap((name) => readOnly(`${folder}/${name}`))]
    }),
    ...pointers.flatMap((path) => readOnly(join(rootPath, path))),
  ]
}

async function removeGuard(rootPath: string, path: string): Promise<void> {
  const held = await holdBelow(rootPath, path)
  if (!held) return
  try {
    if ((await textOf(`${held.at}/commondir`)) === GUARD) await rm(`${held.at}/commondir`)
  } finally {
    await held.handle.close()
  }
}

interface Found {
  readonly rootPath: string
  readonly path: string
  /** Null for one that was not there before. */
  readonly known: Before | null
  readonly repositories: readonly string[]
}

/** Sets aside what git would run, by one renaming each: nothing is lost, and no link can lead it elsewhere. */
async function takeBack(
  { rootPath, path, known, repositories }: Found,
  deps: GitGuardDeps,
): Promise<readonly string[]> {
  const held = await holdBelow(rootPath, path)
  if (!held) return []
  const { at } = held
  const remarks: string[] = []
  async function setAside(name: string): Promise<void> {
    const aside = `set-aside-${randomUUID().slice(0, 8)}`
    await rename(`${at}/${name}`, `${at}/${aside}`)
    remarks.push(`${join(path, name)} was set aside as ${join(path, aside)}: git would run what it says.`)
  }
  try {
    const config = await textOf(`${at}/config`)
    if (config === null) {
      if ((await statOrNull(`${at}/config`)) !== null) await setAside('config')
    } else if (config !== (known?.config ?? '')) {
      const kept = await keptSettings({ config, before: known?.config ?? '' }, deps)
      if (kept.refused.length > 0) {
        await setAside('config')
        await writeNew(`${at}/config`, writeGitSettings(kept.settings))
        remarks.push(`${join(path, 'config')} has lost what could make git run something: ${kept.refused.join(', ')}.`)
      }
    }
    const hooks = await statOrNull(`${at}/hooks`)
    if (hooks !== null && folderNumber(hooks) !== known?.hooks && !(await areSamples(`${at}/hooks`, hooks)))
      await setAside('hooks')
    const worktreeConfig = await statOrNull(`${at}/config.worktree`)
    if (worktreeConfig !== null && worktreeConfig.size > 0) {
      if ((await textOf(`${at}/config.worktree`)) !== known?.worktreeConfig) await setAside('config.worktree')
    }
    if ((await statOrNull(`${at}/commondir`)) !== null) {
      const text = await textOf(`${at}/commondir`)
      if (text === null || (text !== known?.commondir && !leadsTo(text, { path, repositories })))
        await setAside('commondir')
    }
    const todo = await textOf(`${at}/${TODO}`)
    if (todo !== null && todo !== known?.todo && /^[^\S\r\n\u2028\u2029]*(?:x|exec)\s/m.test(todo))
      await setAside('rebase-merge')
    return remarks
  } finally {
    await held.handle.close()
  }
}

/** Whether the folder that git is sent on to is one of those that were looked at. Names could be links. */
function leadsTo(
  text: string,
  { path, repositories }: { readonly path: string; readonly repositories: readonly string[] },
): boolean {
  const way = text.trim()
  return /^\.{1,2}(?:\/\.\.)*$/.test(way) && (way === '.' || repositories.includes(join(path, way)))
}

async function keptSettings(
  { config, before }: { readonly config: string; readonly before: string },
  { git, clock }: GitGuardDeps,
): Promise<{ readonly settings: readonly GitSetting[]; readonly refused: readonly string[] }> {
  const now = git === null ? null : await readGitSettings(config, { git, clock })
  const old = git === null ? null : await readGitSettings(before, { git, clock })
  if (now === null) return { settings: old ?? [], refused: ['all of it, for it cannot be read'] }
  const isOld = ({ key, value }: GitSetting) => old?.some((one) => one.key === key && one.value === value) === true
  const isKept = (setting: GitSetting) => isHarmless(setting) || isOld(setting)
  return {
    settings: now.filter(isKept),
    refused: now.filter((setting) => !isKept(setting)).map(({ key }) => key.slice(0, 100)),
  }
}

async function areSamples(path: string, stats: Stats): Promise<boolean> {
  if (!stats.isDirectory()) return false
  return (await readdir(path)).every((name) => name.endsWith('.sample'))
}

function folderNumber(stats: Stats | null): number | null {
  return stats?.isDirectory() ? stats.ino : null
}

/** Where we may make nothing, commands of this account may not either. */
async function whereWritable(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && UNWRITABLE.has(error.code))) throw error
  }
}

const UNWRITABLE: ReadonlySet<unknown> = new Set(['EACCES', 'EPERM', 'EROFS'])

/** Null for what is no plain file, or too long for one that people write. */
async function textOf(path: string): Promise<string | null> {
  if ((await statOrNull(path)) === null) return null
  try {
    const handle = await open(path, constants.O_RDONLY | OPEN_SAFELY)
    try {
      const stats = await handle.stat()
      return stats.isFile() && stats.size <= MOST_TEXT_BYTES ? await handle.readFile('utf8') : null
    } finally {
      await handle.close()
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && UNREADABLE.has(error.code)) return null
    throw error
  }
}

const UNREADABLE: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES', 'ENXIO'])

async function writeNew(path: string, text: string): Promise<void> {
  const handle = await open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | OPEN_SAFELY, 0o644)
  try {
    await handle.writeFile(text)
  } finally {
    await handle.close()
  }
}
