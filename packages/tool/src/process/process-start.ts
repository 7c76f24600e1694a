import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/**
 * When a process began, in letters and digits, in a form in which only equality means anything; null when there is no
 * such process. A number that was given to another process after a crash or a restart of the machine has another one.
 */
export function startOfProcess(pid: number): string | null {
  const bootId = textOf('/proc/sys/kernel/random/boot_id')
  return bootId === null ? startByPs(pid) : startByProc(pid, bootId)
}

/** Ticks since the start of the machine, from `pid (name) state …`: the name may hold anything, also parentheses. */
function startByProc(pid: number, bootId: string): string | null {
  const stat = textOf(`/proc/${pid}/stat`)
  if (stat === null) return null
  const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
  return `${ticks}x${bootId.replaceAll('-', '').slice(0, 12)}`
}

/** In seconds, where there is no /proc. */
function startByPs(pid: number): string | null {
  const { status, stdout } = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8', timeout: 5_000 })
  return status === 0 && stdout.trim() !== '' ? String(Date.parse(stdout.trim())) : null
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH')) return null
    throw error
  }
}
