import type { Client, FirstChoices } from '@holdfast/client'
import type { SentPart } from '@holdfast/protocol'
import { DEMO_MODEL_ID } from '../composer/context/model-choice.ts'
import { navigate } from '../shared/address.ts'

/** How a conversation begins: who answers, by which settings, and the first message. */
export interface Beginning extends FirstChoices {
  readonly content: readonly SentPart[]
}

/** Makes a conversation, sends its first message and opens it. @throws {RequestFailedError} */
export async function beginConversation(client: Client, { content, ...chosen }: Beginning): Promise<void> {
  const conversationId = await client.createConversation(chosen)
  client.conversation(conversationId).send(content, 'turn')
  queueMicrotask(() => navigate({ type: 'conversation', conversationId }, 'push'))
}

/** Begins a conversation with the demo model: what is meant for the script goes to no other model. @throws {RequestFailedError} */
export function beginDemo(client: Client, command: string): Promise<void> {
  return beginConversation(client, {
    modelId: DEMO_MODEL_ID,
    agentId: null,
    settings: {},
    content: [{ type: 'text', text: command }],
  })
}
