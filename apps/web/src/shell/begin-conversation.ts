import type { Client, FirstChoices } from '@holdfast/client'
import type { SentPart } from '@holdfast/protocol'
import { DEMO_MODEL_ID } from '../composer/context/model-choice.ts'
import { navigate } from '../shared/address.ts'
import type { Place } from '../workspaces/place-picker.tsx'

/** How a conversation begins: who answers, by which settings, and the first message. */
export interface Beginning extends FirstChoices {
  readonly content: readonly SentPart[]
  /** Whether it works in a worktree of its own, which is made before the message is sent. */
  readonly place: Place
}

/** Makes a conversation, sends its first message and opens it. @throws {RequestFailedError} */
export async function beginConversation(client: Client, { content, place, ...chosen }: Beginning): Promise<void> {
  const conversationId = await client.createConversation(chosen)
  if (place === 'worktree') await inWorktree(client, { conversationId, content })
  client.conversation(conversationId).send(content, 'turn')
  queueMicrotask(() => navigate({ type: 'conversation', conversationId }, 'push'))
}

/** A conversation whose worktree cannot be made is not kept: its words are still in the field. @throws {RequestFailedError} */
async function inWorktree(
  client: Client,
  { conversationId, content }: { readonly conversationId: string; readonly content: readonly SentPart[] },
): Promise<void> {
  const words = content
    .flatMap((part) => (part.type === 'text' ? [part.text] : []))
    .join(' ')
    .trim()
  try {
    await client.makeWorktree(conversationId, words === '' ? null : words.slice(0, 60))
  } catch (error) {
    await client.deleteConversation(conversationId)
    throw error
  }
}

/** Begins a conversation with the demo model: what is meant for the script goes to no other model. @throws {RequestFailedError} */
export function beginDemo(client: Client, command: string): Promise<void> {
  return beginConversation(client, {
    modelId: DEMO_MODEL_ID,
    agentId: null,
    settings: {},
    content: [{ type: 'text', text: command }],
    place: 'in-place',
  })
}
