import { totalmem } from 'node:os'

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

/** Processes and threads together, which is what the system counts. */
export function tasksOf({ processes }: Pick<CommandBounds, 'processes'>): number {
  return processes * THREADS_EACH
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

/** What a command met that ended before it was seen to take too much, for the model. */
export function strainInWords(excess: Excess, bounds: CommandBounds): string {
  switch (excess) {
    case 'processes':
      return `It came to ${tasksOf(bounds)} processes and threads, which is all that one command may have: it could start no more.`
    case 'memory':
      return `It came to ${Math.floor(bounds.memoryBytes / 1_048_576)} MiB of memory, which is all that one command may use: the system ended some of it.`
  }
}

/** Lines of bash that set what the system itself can hold a command to; an own limit that is lower stays. */
export function boundsPrelude(bounds: CommandBounds): string {
  return [
    `ulimit -f ${Math.ceil(bounds.fileSizeBytes / 1_024)} 2>/dev/null`,
    // Counted for the user namespace of the sandbox, threads and all. The system does not hold root to it.
    `ulimit -u ${tasksOf(bounds)} 2>/dev/null`,
  ].join('; ')
}

/** Threads of a process, on the average. */
const THREADS_EACH = 4

/** That of the machine, or less where a container has less. */
function machineMemory(): number {
  const constrained = process.constrainedMemory()
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem()
}
