import type { Contender } from './contender.ts'
import { wordsOf } from './delta-script.ts'
import { modelAt, OWNER_ID, openEngine } from './open-engine.ts'

const person = { type: 'person', userId: OWNER_ID } as const

/** Our engine with its SQLite store: every delta is published, and durable within a tick. */
export async function engineContender({
  folder,
  url,
}: {
  readonly folder: string
  readonly url: string
}): Promise<Contender> {
  const { engine, bus, faults, close } = await openEngine({ folder, port: modelAt(url), toolsOf: () => [] })
  let turns = 0
  return {
    async turn(order) {
      turns += 1
      const commandId = `turn-${turns}`
      const { conversationId } = await engine.createConversation({
        commandId,
        actor: person,
        ownerId: OWNER_ID,
        title: null,
        modelId: null,
      })
      let shown = 0
      const ended = Promise.withResolvers<string>()
      const unsubscribe = bus.subscribe(conversationId, (message) => {
        if (message.type === 'delta' && message.delta.text !== '') shown += 1
        if (message.type !== 'entries') return
        for (const entry of message.entries) if (entry.type === 'run-finished') ended.resolve(entry.outcome)
      })
      await engine.sendMessage({
        commandId: `${commandId}:send`,
        actor: person,
        conversationId,
        lane: 'turn',
        content: [{ type: 'text', text: wordsOf(order) }],
      })
      const outcome = await ended.promise
      unsubscribe()
      if (outcome !== 'completed' || faults.length > 0)
        throw new Error(`The turn ended as ${outcome}: ${faults.map(String).join('; ')}`)
      return shown
    },
    close,
  }
}
