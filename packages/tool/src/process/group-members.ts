import { readdirSync, readFileSync } from 'node:fs'

/** Sends a signal to all of a process group. False when nobody was there to get it. */
export function signalGroup(groupId: number, signal: 'SIGTERM' | 'SIGKILL'): boolean {
  return send(groupId, signal)
}

/**
 * Whether somebody of the group still runs. One who has ended and was not fetched yet by whoever adopted it is
 * nobody, where the system tells; elsewhere it counts until it is fetched.
 */
export function isGroupRunning(groupId: number): boolean {
  if (!send(groupId, 0)) return false
  const states = statesOfGroup(groupId)
  return states === null || states.some((state) => state !== 'Z' && state !== 'X')
}

function send(groupId: number, signal: 'SIGTERM' | 'SIGKILL' | 0): boolean {
  try {
    return process.kill(-groupId, signal)
  } catch (error) {
    if (hasCode(error, ['ESRCH', 'EPERM'])) return false
    throw error
  }
}

/** The states of the members by Linux's own list of processes; null where there is no such list. */
function statesOfGroup(groupId: number): string[] | null {
  const states: string[] = []
  for (const name of namesIn('/proc') ?? []) {
    if (!/^[0-9]+$/.test(name)) continue
    // `pid (name) state parent group …`: the name may hold anything, also parentheses.
    const stat = textOf(`/proc/${name}/stat`)
    const [state = '', , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (Number(group) === groupId) states.push(state)
  }
  return namesIn('/proc/self') === null ? null : states
}

function namesIn(folder: string): string[] | null {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (hasCode(error, ['ENOENT', 'EACCES'])) return null
    throw error
  }
}

/** Empty for a process that has gone in between. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (hasCode(error, ['ENOENT', 'ESRCH', 'EACCES'])) return ''
    throw error
  }
}

function hasCode(error: unknown, codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.includes(error.code)
}
