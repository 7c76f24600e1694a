import { writeFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { totalmem } from 'node:os'
import type { Clock } from '@holdfast/conversation'
import { endGroup, type ProcessRegister } from '@holdfast/tool/process'
import { systemCode } from '../workspace/file-refusal.ts'

/** How much one command may take, with all that it starts. */
export interface CommandBounds {
  readonly processes: number
  /** Memory that it shares with nobody. */
  readonly memoryBytes: number
  /** Of one file, and of all files in its `/tmp`. */
  readonly fileSizeBytes: number
}

/** What a machine can bear without a word of its operator: three quarters of its memory, and no endless file. */
export function usualBounds(): CommandBounds {
  return { processes: 2_048, memoryBytes: Math.floor((machineMemory() * 3) / 4), fileSizeBytes: 17_179_869_184 }
}

/** What a command took too much of. */
export type Excess = 'processes' | 'memory'

/** Looks at one command from its start to its end. */
export interface BoundsWatch {
  /** Told where the command runs, as a register of processes is. */
  readonly register: Pick<ProcessRegister, 'note' | 'forget'>
  /** Fires when the command took too much and was killed. */
  readonly signal: AbortSignal
  /** What it took too much of; null for nothing. */
  excess(): Excess | null
}

/**
 * Looks four times a second at what a command and all below it take, and kills it when that is too much: what grows
 * while it is asked to end may be more than the machine can bear. It works where the system shows the children of a
 * process (Linux). A limit of addresses would be wrong: Node and Java reserve far more than they use. [SEC9]
 */
export function watchBounds({
  bounds,
  clock,
  register,
}: {
  readonly bounds: CommandBounds
  readonly clock: Clock
  /** Told all that the watch is told. */
  readonly register: ProcessRegister | null
}): BoundsWatch {
  const tooMuch = new AbortController()
  let found: Excess | null = null
  let isOver = false
  let cancel = (): void => {}
  async function look(groupId: number): Promise<void> {
    const excess = await excessOf(groupId, bounds)
    if (isOver) return
    if (excess === null) {
      cancel = clock.after(LOOK_MS, () => void look(groupId))
      return
    }
    found = excess
    await endGroup(groupId, { clock, graceMs: 0 })
    tooMuch.abort()
  }
  return {
    register: {
      note(groupId) {
        register?.note(groupId)
        endFirst(groupId)
        cancel = clock.after(FIRST_LOOK_MS, () => void look(groupId))
      },
      forget(groupId) {
        register?.forget(groupId)
        isOver = true
        cancel()
      },
    },
    signal: tooMuch.signal,
    excess: () => found,
  }
}

/** What a command took too much of, for the model. */
export function excessInWords(excess: Excess, { processes, memoryBytes }: CommandBounds): string {
  switch (excess) {
    case 'processes':
      return `It had more than ${processes} processes at once, which is all that one command may have, and was ended with all it had started.`
    case 'memory':
      return `It used more than ${Math.floor(memoryBytes / 1_048_576)} MiB of memory, which is all that one command may use, and was ended with all it had started.`
  }
}

/** Lines of bash that set what the system itself can hold a command to; an own limit that is lower stays. */
export function boundsPrelude({ processes, fileSizeBytes }: CommandBounds): string {
  return [
    `ulimit -f ${Math.ceil(fileSizeBytes / 1_024)} 2>/dev/null`,
    // Counted for the user namespace of the sandbox, threads and all. The system does not hold root to it.
    `ulimit -u ${processes * THREADS_EACH} 2>/dev/null`,
  ].join('; ')
}

/** Where memory runs out, the system ends a command and not the server. What it starts later has the same score. */
function endFirst(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, '1000')
  } catch (error) {
    // Gone already, or a system without it.
    if (systemCode(error) === null) throw error
  }
}

const THREADS_EACH = 4
const FIRST_LOOK_MS = 100
const LOOK_MS = 250
const PAGE_BYTES = 4_096

async function excessOf(pid: number, { processes, memoryBytes }: CommandBounds): Promise<Excess | null> {
  let level: readonly number[] = [pid]
  let count = 0
  let sizeBytes = 0
  while (level.length > 0) {
    count += level.length
    if (count > processes) return 'processes'
    const seen = await Promise.all(
      level.map(async (one) => ({ children: await childrenOf(one), own: await ownBytes(one) })),
    )
    for (const { own } of seen) sizeBytes += own
    if (sizeBytes > memoryBytes) return 'memory'
    level = seen.flatMap(({ children }) => children)
  }
  return null
}

/** Each thread is the parent of what it started. */
async function childrenOf(pid: number): Promise<readonly number[]> {
  const threads = await orEmpty(() => readdir(`/proc/${pid}/task`))
  const texts = await Promise.all(threads.map((thread) => procText(`/proc/${pid}/task/${thread}/children`)))
  return texts.flatMap((text) => text.split(' ').filter((word) => word !== '')).map(Number)
}

async function ownBytes(pid: number): Promise<number> {
  const [, resident = '0', shared = '0'] = (await procText(`/proc/${pid}/statm`)).split(' ')
  return (Number(resident) - Number(shared)) * PAGE_BYTES
}

async function procText(path: string): Promise<string> {
  const [text = ''] = await orEmpty(async () => [await readFile(path, 'utf8')])
  return text
}

/** Empty for a process that has gone, and on a system that does not tell. */
async function orEmpty(read: () => Promise<readonly string[]>): Promise<readonly string[]> {
  try {
    return await read()
  } catch (error) {
    if (systemCode(error) !== null) return []
    throw error
  }
}

/** That of the machine, or less where a container has less. */
function machineMemory(): number {
  const constrained = process.constrainedMemory()
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem()
}
