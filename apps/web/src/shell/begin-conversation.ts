import type { Client } from '@holdfast/client'
import type { SentPart } from '@holdfast/protocol'
import { DEMO_MODEL_ID } from '../composer/context/model-choice.ts'
import { navigate } from '../shared/address.ts'

/** How a conversation begins: who answers, and the first message. */
export interface Beginning {
  /** Null for the model that answers where none is chosen. */
  readonly modelId: string | null
  readonly agentId: string | null
  readonly content: readonly SentPart[]
}

/** Makes a conversation, sends its first message and opens it. @throws {RequestFailedError} */
export async function beginConversation(client: Client, { modelId, agentId, content }: Beginning): Promise<void> {
  const conversationId = await client.createConversation({ modelId, agentId })
  client.conversation(conversationId).send(content, 'turn')
  queueMicrotask(() => navigate({ type: 'conversation', conversationId }, 'push'))
}

/** Begins a conversation with the demo model: what is meant for the script goes to no other model. @throws {RequestFailedError} */
export function beginDemo(client: Client, command: string): Promise<void> {
  return beginConversation(client, {
    modelId: DEMO_MODEL_ID,
    agentId: null,
    content: [{ type: 'text', text: command }],
  })
}
