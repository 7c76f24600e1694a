import type { Entry } from '@holdfast/conversation'
import type { EnginePorts, LiveBus } from '@holdfast/engine'
import { type Tool, type ToolDefinition, toolOf } from '@holdfast/tool'

type ToolsOf = EnginePorts['toolsOf']

/** Tools that clients bring with what they ask: in place of those of the server, as long as it is answered. [TOOL18] */
export interface ClientTools {
  /** The tools of conversations: those of a client where one has brought some, else those that `toolsOf` says. */
  over(toolsOf: ToolsOf): ToolsOf
  /** Takes what a client brings, before it asks. Of the tools of two offers for one conversation the later ones hold. */
  offer(conversationId: string, definitions: readonly ToolDefinition[]): Offer
}

/** What a client has brought. It holds until what it is for is over. */
export interface Offer {
  /** Names the input that it asks, or the run that it goes on with, once that is known. */
  holdsFor(id: string): void
  /** Nothing came of it. */
  withdraw(): void
}

interface Offered {
  said: string
  tools: readonly Tool[]
  /** What each offer is for; null where that is not known yet. */
  readonly offers: Map<symbol, string | null>
  readonly inputsOf: Map<string, string[]>
  /** Inputs and runs that are over. */
  readonly over: Set<string>
  readonly leave: () => void
}

/** Keeps what clients of this process have brought. A run that outlives the process is offered them again with their answer. */
export function createClientTools({ bus }: { readonly bus: Pick<LiveBus, 'subscribe'> }): ClientTools {
  const offered = new Map<string, Offered>()

  function begin(conversationId: string): Offered {
    const leave = bus.subscribe(conversationId, (message) => {
      if (message.type !== 'entries') return
      for (const entry of message.entries) note(here, entry)
      tidy(conversationId, here)
    })
    const here: Offered = { said: '', tools: [], offers: new Map(), inputsOf: new Map(), over: new Set(), leave }
    offered.set(conversationId, here)
    return here
  }

  function tidy(conversationId: string, { offers, over, leave }: Offered): void {
    for (const [offer, id] of offers) if (id !== null && over.has(id)) offers.delete(offer)
    if (offers.size > 0) return
    leave()
    offered.delete(conversationId)
  }

  return {
    over: (toolsOf) => (query) => offered.get(query.conversationId)?.tools ?? toolsOf(query),
    offer(conversationId, definitions) {
      const here = offered.get(conversationId) ?? begin(conversationId)
      const said = JSON.stringify(definitions)
      // The same list keeps its objects: what requests say of it is made once. [TOOL16]
      if (here.said !== said) here.tools = definitions.map((definition) => toolOf(definition, runElsewhere))
      here.said = said
      const offer = Symbol('offer')
      here.offers.set(offer, null)
      return {
        holdsFor(id) {
          if (here.offers.has(offer)) here.offers.set(offer, id)
          tidy(conversationId, here)
        },
        withdraw() {
          here.offers.delete(offer)
          tidy(conversationId, here)
        },
      }
    },
  }
}

function note({ inputsOf, over }: Offered, entry: Entry): void {
  if (entry.type === 'user-message-sent')
    inputsOf.set(entry.runId, [...(inputsOf.get(entry.runId) ?? []), entry.inputId])
  if (entry.type === 'input-removed') over.add(entry.inputId)
  if (entry.type !== 'run-finished') return
  over.add(entry.runId)
  for (const inputId of inputsOf.get(entry.runId) ?? []) over.add(inputId)
}

function runElsewhere(): never {
  throw new Error('A tool of a client is run by the client')
}
