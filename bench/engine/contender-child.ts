import { fork } from 'node:child_process'
import { once } from 'node:events'
import { ContenderMessage, type ContenderName, type ContenderOrder } from './contender-messages.ts'

/** What an order cost. */
export interface OrderCost {
  /** Processor time of the contender's whole process for each delta that it showed, in microseconds. */
  readonly cpuUsPerDelta: number
  readonly elapsedMs: number
}

/** A contender in a process of its own. */
export interface ContenderChild {
  /** @throws when not every delta was shown. */
  carryOut(order: ContenderOrder): Promise<OrderCost>
  close(): Promise<void>
}

/** Starts a contender. */
export async function startContender(name: ContenderName, url: string): Promise<ContenderChild> {
  const path = new URL('./contender-process.ts', import.meta.url).pathname
  const child = fork(path, [name, url], { execArgv: ['--conditions=@holdfast/source', ...process.execArgv] })
  const exited = once(child, 'exit')
  const next = async (): Promise<ContenderMessage> => {
    const told = await Promise.race([once(child, 'message'), exited.then(([code]) => Promise.reject(endedBy(code)))])
    return ContenderMessage.parse(told[0])
  }
  const endedBy = (code: unknown): Error => new Error(`The process of ${name} ended with ${String(code)}`)
  await next()
  return {
    async carryOut(order) {
      const answer = next()
      child.send(order)
      const told = await answer
      if (told.type !== 'done') throw new Error(told.type === 'failed' ? told.message : `${name} is not done`)
      const wanted = order.turns * order.deltas
      if (told.shown !== wanted) throw new Error(`${name} showed ${told.shown} deltas of ${wanted}`)
      return { cpuUsPerDelta: told.cpuUs / told.shown, elapsedMs: told.elapsedMs }
    },
    async close() {
      child.disconnect()
      await exited
    },
  }
}
