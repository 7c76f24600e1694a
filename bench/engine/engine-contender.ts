import { followTurn } from '@holdfast/engine'
import { systemClock } from '@holdfast/engine/system'
import type { Contender } from './contender.ts'
import { wordsOf } from './delta-script.ts'
import { OWNER_ID, openEngine } from './open-engine.ts'

const person = { type: 'person', userId: OWNER_ID } as const

/** Our engine with its SQLite store: every delta is published, and durable within a tick. */
export async function engineContender({
  folder,
  url,
}: {
  readonly folder: string
  readonly url: string
}): Promise<Contender> {
  const { engine, store, bus, faults, close } = await openEngine({ folder, url, toolsOf: () => [] })
  let turns = 0
  return {
    async turn(order) {
      turns += 1
      const commandId = `turn-${turns}`
      const { conversationId } = await engine.createConversation({
        ...{ commandId, actor: person, ownerId: OWNER_ID, title: null, modelId: null },
      })
      const { inputId, seq } = await engine.sendMessage({
        ...{ commandId: `${commandId}:send`, actor: person, conversationId, lane: 'turn' },
        content: [{ type: 'text', text: wordsOf(order) }],
      })
      let shown = 0
      const end = await followTurn(
        { store, bus, clock: systemClock },
        {
          ...{ conversationId, inputId, admittedSeq: seq, signal: new AbortController().signal },
          onDelta: ({ text }) => {
            if (text !== '') shown += 1
          },
        },
      )
      if (end?.outcome !== 'completed' || faults.length > 0)
        throw new Error(`The turn ended as ${end?.outcome}: ${end?.reason} ${faults.map(String).join('; ')}`)
      return shown
    },
    close,
  }
}
