import { createHash } from 'node:crypto'
import type { PendingPermission } from '@holdfast/conversation'
import { type AiSdkChatRequest, type SentPart, UiMessage } from '@holdfast/protocol'
import { RefusedError } from '@holdfast/server'
import type { FoundExchange } from '../exchanges.ts'

/** What a request of `useChat` asks for. */
export type Asked =
  | { readonly type: 'send'; readonly commandId: string; readonly content: readonly SentPart[] }
  /** The words of a message that was sent before, in another form. */
  | { readonly type: 'edit'; readonly messageId: string; readonly content: readonly SentPart[] }
  /** Another answer; null for the last. */
  | { readonly type: 'regenerate'; readonly messageId: string | null }
  /** What a person said about calls that wait. */
  | { readonly type: 'answer'; readonly answers: readonly ApprovalAnswer[] }

/** A yes or no about one call, by the id of the request or of the call. */
export interface ApprovalAnswer {
  readonly requestId: string | null
  readonly callId: string | null
  readonly allowed: boolean
  readonly reason: string | null
}

/**
 * Reads what is asked out of the trigger and the last message; all before it is history, which the log has.
 *
 * @throws {RefusedError} when there is nothing to do.
 */
export function toAsked({ messages, trigger, messageId }: AiSdkChatRequest): Asked {
  if (trigger === 'regenerate-message') return { type: 'regenerate', messageId: messageId ?? null }
  const parsed = UiMessage.safeParse(messages.at(-1))
  if (!parsed.success)
    throw new RefusedError(400, 'bad-request', 'The last of messages is a UI message with id, role and parts')
  const last = parsed.data
  switch (last.role) {
    case 'system':
      throw new RefusedError(400, 'bad-request', 'Instructions are settings of the conversation, not a message')
    case 'assistant':
      return { type: 'answer', answers: answersIn(last) }
    case 'user': {
      const content = contentOf(last)
      if (messageId != null) return { type: 'edit', messageId, content }
      return { type: 'send', commandId: last.id, content }
    }
  }
}

/** The command of an edit: what follows from the message and the words, so that the same one sent twice is one. */
export function editCommandId(messageId: string, content: readonly SentPart[]): string {
  const hash = createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 24)
  return `${messageId.slice(0, MOST_KEPT)}${EDITED}${hash}`
}

/** The command of another answer: what follows from the message and the run that answered it. */
export function againCommandId({ commandId, runId }: Pick<FoundExchange, 'commandId' | 'runId'>): string {
  return `${messageIdOf(commandId ?? '')}${AGAIN}${runId}`
}

/** Whether a command admitted a message that its client knows by this id, perhaps in another form by now. */
export function isOfMessage(commandId: string | null, messageId: string): boolean {
  return commandId !== null && messageIdOf(commandId) === messageId.slice(0, MOST_KEPT)
}

const EDITED = ':edit:'
const AGAIN = ':again:'
/** How much of a client's id is kept in the ids of later commands, in characters. */
const MOST_KEPT = 100

function messageIdOf(commandId: string): string {
  return (commandId.split(new RegExp(`${EDITED}|${AGAIN}`))[0] ?? '').slice(0, MOST_KEPT)
}

/** The waiting request that an answer is about. */
export function requestFor(
  { requestId, callId }: ApprovalAnswer,
  pending: readonly PendingPermission[],
): PendingPermission | undefined {
  return pending.find((one) => one.requestId === requestId || (requestId === null && one.callId === callId))
}

function contentOf({ parts }: UiMessage): SentPart[] {
  const content = parts.flatMap((part): SentPart[] => {
    if (part.type === 'text') return part.text ? [{ type: 'text', text: part.text }] : []
    if (part.type !== 'file') return []
    const attachmentId = /(?:^|\/)attachments\/([^/?#]+)$/.exec(part.url ?? '')?.[1]
    if (attachmentId === undefined)
      throw new RefusedError(
        422,
        'unknown-attachment',
        'A file is sent by reference: upload it with POST /api/v1/attachments, and give /api/v1/attachments/ID as its url',
      )
    const type = part.mediaType?.startsWith('image/') ? 'image' : 'file'
    return [{ type, attachmentId: decodeURIComponent(attachmentId) }]
  })
  if (content.length === 0) throw new RefusedError(400, 'bad-request', 'The message has no text and no file')
  return content
}

function answersIn({ parts }: UiMessage): ApprovalAnswer[] {
  const answers = parts.flatMap((part): ApprovalAnswer[] => {
    const callId = part.toolCallId ?? null
    if (part.state === 'approval-responded' && part.approval?.approved !== undefined) {
      const { id, approved, reason } = part.approval
      return [{ requestId: id, callId, allowed: approved, reason: reason ?? null }]
    }
    if (part.state !== 'output-available' || callId === null) return []
    const said = decisionIn(part['output'])
    return said === null ? [] : [{ requestId: null, callId, reason: null, allowed: said }]
  })
  if (answers.length === 0)
    throw new RefusedError(
      422,
      'bad-request',
      'The last message is an answer without a decision: answer what waits with addToolApprovalResponse, or with addToolOutput and the output "allow" or "deny"',
    )
  return answers
}

/** Clients without approvals answer a waiting call by its output. */
function decisionIn(output: unknown): boolean | null {
  if (output === 'allow' || output === true) return true
  if (output === 'deny' || output === false) return false
  return null
}
