import { readdirSync, readFileSync } from 'node:fs'
import { until } from './until.ts'

/** Waits until nobody of the groups runs. */
export function untilGone(groups: readonly number[]): Promise<true> {
  return until(`the process groups ${groups.join(', ')} are gone`, () => (runningOf(groups).length === 0 ? true : null))
}

/** The groups of which somebody still runs, by Linux's list of processes. */
export function runningOf(groups: readonly number[]): readonly number[] {
  if (groups.length === 0) return []
  const running = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? groupIfRunning(name) : []))
  return groups.filter((group) => running.includes(group))
}

/** `pid (name) state parent group …`; one that has ended and waits to be fetched does not run. */
function groupIfRunning(pid: string): number[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const [state = '', , group = ''] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return state === 'Z' || state === 'X' ? [] : [Number(group)]
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH')) return []
    throw error
  }
}
