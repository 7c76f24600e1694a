import { readdir, readFile } from 'node:fs/promises'
import type { Clock } from '@holdfast/conversation'
import { systemCode } from '../workspace/file-refusal.ts'

/** The variable that marks every process of one command. */
export const MARK_VARIABLE = 'HOLDFAST_COMMAND'

const MOST_ROUNDS = 20
const ROUND_MS = 10

/**
 * Ends processes that carry the mark of a command and have left its process group, by a session of their own.
 * Works where the system shows environments (Linux). One that cleared its environment is found by a sandbox only.
 *
 * @returns how many were ended.
 */
export function endLeftBehind(mark: string, clock: Clock): Promise<number> {
  return endMarked((found) => found === mark, clock)
}

/**
 * Ends what commands of an owner left behind when their server was killed. [RUN14]
 *
 * @returns how many were ended.
 */
export function endCommandsOf(owner: string, clock: Clock): Promise<number> {
  return endMarked((found) => found.startsWith(markOf(owner, '')), clock)
}

/** The mark of one command. */
export function markOf(owner: string, command: string): string {
  return `${owner}.${command}`
}

async function endMarked(isMeant: (mark: string) => boolean, clock: Clock): Promise<number> {
  const ended = new Set<number>()
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const pids = await pidsMarked(isMeant)
    if (pids.length === 0) break
    for (const pid of pids) if (kill(pid)) ended.add(pid)
    // Killed ones may have started others just before.
    await new Promise<void>((resolve) => {
      clock.after(ROUND_MS, resolve)
    })
  }
  return ended.size
}

async function pidsMarked(isMeant: (mark: string) => boolean): Promise<number[]> {
  const before = `${MARK_VARIABLE}=`
  const names = (await orNull(() => readdir('/proc')))?.filter(isOther) ?? []
  const found = await Promise.all(
    names.map(async (name) => {
      const environment = await orNull(() => readFile(`/proc/${name}/environ`, 'latin1'))
      const variables = environment?.split('\0') ?? []
      return variables.some((one) => one.startsWith(before) && isMeant(one.slice(before.length))) ? [Number(name)] : []
    }),
  )
  return found.flat()
}

/** Names of processes, without this one: a server may be started by a command of an earlier one. */
function isOther(name: string): boolean {
  return /^\d+$/.test(name) && Number(name) !== process.pid
}

async function orNull<Value>(read: () => Promise<Value>): Promise<Value | null> {
  try {
    return await read()
  } catch (error) {
    // Gone meanwhile, of another account, or a system without such a list.
    if (systemCode(error) !== null) return null
    throw error
  }
}

function kill(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL')
  } catch (error) {
    if (systemCode(error) === 'ESRCH' || systemCode(error) === 'EPERM') return false
    throw error
  }
}
