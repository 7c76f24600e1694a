import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm, rmdir, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Clock } from '@holdfast/conversation'
import { systemCode } from '../workspace/file-refusal.ts'
import { type CommandBounds, type Excess, tasksOf } from './command-bounds.ts'
import { type GroupPlace, textOrNull } from './group-place.ts'

/** Groups of processes to which the system itself holds the bounds: control groups of Linux. [SEC12] */
export interface CommandGroups {
  /** A group of its own for one command. @throws {CommandGroupError} when the system does not let us have it. */
  open(bounds: CommandBounds): Promise<CommandGroup>
}

/** The group of one command. */
export interface CommandGroup {
  /** What goes before a command so that it runs in there, from its first instruction. */
  readonly before: readonly string[]
  /** What the system has refused it, or has ended it for; null for nothing. */
  excess(): Promise<Excess | null>
  /** Kills what is still in there, and removes it. */
  close(): Promise<void>
}

/** A group could not be made; the command is not run without one. */
export class CommandGroupError extends Error {
  override readonly name = 'CommandGroupError'
  readonly code = 'no-group'
}

/** What groups are made with. */
export interface CommandGroupsOptions {
  readonly places: readonly GroupPlace[]
  /** A folder where they are noted while they are there; null where a kill of the server need not be thought of. */
  readonly notes: string | null
  readonly clock: Clock
}

/** Groups in these places. Nothing is made yet. */
export function createCommandGroups({ places, notes, clock }: CommandGroupsOptions): CommandGroups {
  return {
    async open(bounds) {
      const name = `${PREFIX}${randomUUID()}`
      const folders = places.map(({ folder }) => join(folder, name))
      const note = notes === null ? null : join(notes, name)
      async function close(): Promise<void> {
        if ((await removeAll(folders, clock)) && note !== null) await rm(note, { force: true })
      }
      try {
        if (notes !== null) await mkdir(notes, { recursive: true, mode: 0o700 })
        // Noted first: what is made and not noted would stay for ever after a kill.
        if (note !== null) await writeFile(note, folders.join('\n'), { mode: 0o600 })
        for (const place of places) await make(join(place.folder, name), place, bounds)
      } catch (error) {
        const code = systemCode(error)
        await close()
        if (code === null || !(error instanceof Error)) throw error
        throw new CommandGroupError(`No control group can be made for it: ${error.message}`, { cause: error })
      }
      const joined = folders.map((folder) => join(folder, 'cgroup.procs'))
      return {
        before: ['/bin/sh', '-c', JOIN, 'sh', ...joined, '--'],
        async excess() {
          for (const [index, { version, controllers }] of places.entries()) {
            const folder = folders[index] ?? ''
            if (controllers.includes('pids') && (await countIn(join(folder, 'pids.events'), 'max')) > 0)
              return 'processes'
            const ended = version === 1 ? 'memory.oom_control' : 'memory.events'
            if (controllers.includes('memory') && (await countIn(join(folder, ended), 'oom_kill')) > 0) return 'memory'
          }
          return null
        },
        close,
      }
    },
  }
}

/**
 * Ends and removes the groups that a server which was killed has noted in a folder. [RUN14]
 *
 * @returns how many were there.
 */
export async function endLeftGroups(notes: string, clock: Clock): Promise<number> {
  const names = (await namesIn(notes)).filter((name) => name.startsWith(PREFIX))
  for (const name of names) {
    const folders = ((await textOrNull(join(notes, name))) ?? '').split('\n').filter((path) => basename(path) === name)
    if (await removeAll(folders, clock)) await rm(join(notes, name), { force: true })
  }
  return names.length
}

const PREFIX = 'holdfast-command-'
/** Nobody runs outside of a group that could not be joined. Zero is who writes it. */
const JOIN = 'while [ "$1" != -- ]; do echo 0 > "$1" || exit 125; shift; done; shift; exec "$@"'
const MOST_ROUNDS = 200
const ROUND_MS = 10

async function make(folder: string, { version, controllers }: GroupPlace, bounds: CommandBounds): Promise<void> {
  await mkdir(folder)
  const set = (name: string, value: number): Promise<void> => writeFile(join(folder, name), String(value))
  if (controllers.includes('pids')) await set('pids.max', tasksOf(bounds))
  if (!controllers.includes('memory')) return
  if (version === 1) {
    await set('memory.limit_in_bytes', bounds.memoryBytes)
    await whereThere(() => set('memory.memsw.limit_in_bytes', bounds.memoryBytes))
  } else {
    await set('memory.max', bounds.memoryBytes)
    await whereThere(() => set('memory.swap.max', 0))
    await set('memory.oom.group', 1)
  }
}

/** A kernel that does not count swap has no file for it. */
async function whereThere(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!['ENOENT', 'EACCES', 'EPERM'].includes(systemCode(error) ?? '')) throw error
  }
}

async function countIn(path: string, word: string): Promise<number> {
  const text = (await textOrNull(path)) ?? ''
  return Number(new RegExp(`^${word} (\\d+)$`, 'm').exec(text)?.[1] ?? 0)
}

/** Whether nothing is left. What still starts others is killed again and again. */
async function removeAll(folders: readonly string[], clock: Clock): Promise<boolean> {
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const left = await Promise.all(folders.map(remove))
    if (left.every((isGone) => isGone)) return true
    await new Promise<void>((resolve) => {
      clock.after(ROUND_MS, resolve)
    })
  }
  return false
}

/** The system removes a group only once nobody is in it. */
async function remove(folder: string): Promise<boolean> {
  try {
    await rmdir(folder)
    return true
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return true
    if (systemCode(error) !== 'EBUSY') throw error
    const pids = ((await textOrNull(join(folder, 'cgroup.procs'))) ?? '').split('\n').map(Number)
    for (const pid of pids) if (pid > 0 && pid !== process.pid) kill(pid)
    return false
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if (systemCode(error) !== 'ESRCH') throw error
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return []
    throw error
  }
}
