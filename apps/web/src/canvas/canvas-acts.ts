import type { CanvasAct, Client } from '@holdfast/client'
import { answerOf } from '../shared/ask-server.ts'

/** What a person can do on the canvas that is shown. */
export interface CanvasActs {
  /** Whether what is clicked reaches the server now; nothing is kept to be sent later. */
  readonly isOnline: boolean
  /** Where it is; null for what is not there yet, or not any more. */
  readonly conversationId: string | null
  /** @returns why it was not done, or null. */
  act(act: Omit<CanvasAct, 'agentId'>): Promise<string | null>
  /** Puts a mention of the element before the person's next words. */
  ask(elementId: string): void
}

/** Makes them for the canvas of one agent. */
export function createCanvasActs(options: {
  readonly client: Client
  readonly conversationId: string
  readonly agentId: string
  readonly isOnline: boolean
  readonly ask: (elementId: string) => void
}): CanvasActs {
  const { client, conversationId, agentId, isOnline, ask } = options
  return {
    isOnline,
    conversationId,
    ask,
    async act(act) {
      const { problem } = await answerOf(client.canvas(conversationId).act({ ...act, agentId }))
      return problem
    },
  }
}
