/**
 * A contender in a process of its own: what it costs is the processor time of the whole process, threads included.
 *
 * Arguments: the contender's name, and the base URL of a provider. Orders come as messages.
 */
import { inTemporaryFolder } from '../lib/stores.ts'
import { aiContender } from './ai-contender.ts'
import { bareContender } from './bare-contender.ts'
import { type ContenderMessage, ContenderName, ContenderOrder } from './contender-messages.ts'
import { engineContender } from './engine-contender.ts'

const [name = '', url = ''] = process.argv.slice(2)

function tell(message: ContenderMessage): void {
  process.send?.(message)
}

const OPENERS = { engine: engineContender, ai: aiContender, bare: bareContender } as const

await inTemporaryFolder(async (folder) => {
  const contender = await OPENERS[ContenderName.parse(name)]({ folder, url })
  const ended = Promise.withResolvers<void>()
  process.on('disconnect', () => ended.resolve())
  process.on('message', (told) => {
    const { turns, deltas, deltasPerSecond } = ContenderOrder.parse(told)
    const before = process.cpuUsage()
    const startedAt = performance.now()
    Promise.all(Array.from({ length: turns }, () => contender.turn({ deltas, deltasPerSecond }))).then(
      (shown) => {
        const { user, system } = process.cpuUsage(before)
        const elapsedMs = performance.now() - startedAt
        tell({ type: 'done', shown: shown.reduce((sum, one) => sum + one, 0), cpuUs: user + system, elapsedMs })
      },
      (error: unknown) => tell({ type: 'failed', message: String(error) }),
    )
  })
  tell({ type: 'ready' })
  await ended.promise
  await contender.close()
})
