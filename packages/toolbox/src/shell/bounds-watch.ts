import { writeFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import type { Clock } from '@holdfast/conversation'
import { endGroup, type ProcessRegister } from '@holdfast/tool/process'
import { systemCode } from '../workspace/file-refusal.ts'
import type { CommandBounds, Excess } from './command-bounds.ts'
import type { CommandGroup } from './command-groups.ts'

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
  group,
  clock,
  register,
}: {
  readonly bounds: CommandBounds
  /** Null where the system holds commands to nothing. */
  readonly group: Pick<CommandGroup, 'excess'> | null
  readonly clock: Clock
  /** Told all that the watch is told. */
  readonly register: ProcessRegister | null
}): BoundsWatch {
  const tooMuch = new AbortController()
  let found: Excess | null = null
  let isOver = false
  let cancel = (): void => {}
  async function look(groupId: number): Promise<void> {
    const excess = (await group?.excess()) ?? (await excessOf(groupId, bounds))
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

/** Where memory runs out, the system ends a command and not the server. What it starts later has the same score. */
function endFirst(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, '1000')
  } catch (error) {
    // Gone already, or a system without it.
    if (systemCode(error) === null) throw error
  }
}

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
