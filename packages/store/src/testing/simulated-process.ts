import { type Clock, StoreReadError, StoreWriteError } from '@holdfast/conversation'
import type { DataAccess } from '../memory/data-access.ts'
import type { Failpoint, Failure } from './failures.ts'
import type { SimulatedDisk } from './simulated-disk.ts'

/** How long a group of writes is open before it is synced, in milliseconds. */
const GROUP_MS = 5

/** What a process of the store lives on. */
export interface SimulatedProcessDeps {
  readonly clock: Clock
  readonly disk: SimulatedDisk
  /** Counts an operation and gives its number. */
  nextOperation(): number
  /** What happens to the operation here; counted by whoever decides it. */
  failureAt(passage: { readonly failpoint: Failpoint; readonly operation: number }): Failure | null
  /** Told when a failpoint ends the process. */
  crashed(): void
  /** Planted: answers without waiting for the sync. */
  readonly acknowledgesBeforeSync: boolean
}

/** A process that has the disk open. */
export interface SimulatedProcess extends DataAccess {
  /** Ends it at once: what is in flight is refused, and nothing of it happens any more. */
  kill(): void
}

/** Opens the disk. */
export function createSimulatedProcess(deps: SimulatedProcessDeps): SimulatedProcess {
  const { clock, disk } = deps
  let closing = false
  let dead = false
  let cancelSync: (() => void) | null = null
  let inGroup: (() => void)[] = []
  const inFlight = new Set<Promise<unknown>>()
  const rejections = new Set<(error: Error) => void>()

  /** Waits for what `start` calls when it is done, or until the process ends. */
  function waitFor(start: (done: () => void) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      rejections.add(reject)
      start(() => {
        rejections.delete(reject)
        resolve()
      })
    })
  }

  function kill(): void {
    dead = true
    cancelSync?.()
    inGroup = []
    for (const reject of rejections) reject(closedError())
    rejections.clear()
  }

  function sync(): void {
    cancelSync = null
    disk.sync()
    for (const done of inGroup.splice(0)) done()
  }

  async function pass(failpoint: Failpoint, operation: number): Promise<void> {
    await Promise.resolve()
    if (dead) throw closedError()
    const failure = deps.failureAt({ failpoint, operation })
    if (failure === null) return
    switch (failure.type) {
      case 'refuse':
        if (failpoint === 'before-read')
          throw new StoreReadError(`Simulated: the disk cannot be read (${failure.code})`)
        throw new StoreWriteError(failure.code, `Simulated: ${failure.code} ${failpoint} of operation ${operation}`)
      case 'wait':
        return waitFor((done) => clock.after(failure.delayMs, done))
      case 'crash':
        deps.crashed()
        throw closedError()
    }
  }

  /** Runs an operation unless the store is closed, and lets a close wait for it. */
  async function accepted<Value>(run: (operation: number) => Promise<Value>): Promise<Value> {
    if (dead || closing) throw closedError()
    const running = run(deps.nextOperation())
    inFlight.add(running)
    try {
      return await running
    } finally {
      inFlight.delete(running)
    }
  }

  return {
    read: (look) =>
      accepted(async (operation) => {
        await pass('before-read', operation)
        const value = look(disk.durable)
        await pass('before-answer', operation)
        return value
      }),
    write: (change) =>
      accepted(async (operation) => {
        await pass('before-write', operation)
        const outcome = outcomeOf(() => disk.write(change))
        const synced = waitFor((done) => inGroup.push(done))
        // Whoever was refused on the way does not wait for it.
        synced.catch(() => undefined)
        if (closing) sync()
        else cancelSync ??= clock.after(GROUP_MS, sync)
        await pass('after-write', operation)
        if (!deps.acknowledgesBeforeSync) await synced
        await pass('after-sync', operation)
        await pass('before-answer', operation)
        return outcome()
      }),
    async close() {
      closing = true
      cancelSync?.()
      if (!dead) sync()
      await Promise.allSettled(inFlight)
      dead = true
    },
    kill,
  }
}

/** Keeps what happened until it may be told. */
function outcomeOf<Value>(run: () => Value): () => Value {
  try {
    const value = run()
    return () => value
  } catch (error) {
    return () => {
      throw error
    }
  }
}

function closedError(): StoreWriteError {
  return new StoreWriteError('closed', 'This simulated store is closed or has crashed; open it again with restart()')
}
