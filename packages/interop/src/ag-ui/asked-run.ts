import { type AgUiRun, AgUiUserMessage, type SentPart } from '@holdfast/protocol'
import { RefusedError } from '@holdfast/server'
import type { ApprovalAnswer } from '../ai-sdk/asked.ts'

/** What a run of AG-UI asks for. */
export type AskedRun =
  | { readonly type: 'send'; readonly commandId: string; readonly content: readonly SentPart[] }
  /** What a person said about what waited when the run before ended. */
  | { readonly type: 'answer'; readonly answers: readonly ApprovalAnswer[] }
  /** Nothing new: what runs is told. */
  | { readonly type: 'follow' }

/** What a conversation here has no place for: it is named in the answer as not looked at. */
const NOT_LOOKED_AT = ['tools', 'context', 'state', 'forwardedProps'] as const

/**
 * Reads what is asked out of the last message; all before it is history, which the log has.
 *
 * @throws {RefusedError} when there is nothing to do.
 */
export function toAskedRun({ messages, resume }: AgUiRun): AskedRun {
  if (resume && resume.length > 0) return { type: 'answer', answers: resume.map(toAnswer) }
  const last = messages.at(-1)
  if (last === undefined) return { type: 'follow' }
  const parsed = AgUiUserMessage.safeParse(last)
  if (parsed.success) return { type: 'send', commandId: parsed.data.id, content: contentOf(parsed.data) }
  if (isOfUser(last)) throw new RefusedError(400, 'bad-request', 'A message of the user has an id, a role and content')
  return { type: 'follow' }
}

/** The names of what came along and is not looked at. */
export function ignoredIn(run: AgUiRun): string[] {
  return NOT_LOOKED_AT.filter((name) => !isNothing(run[name]))
}

function toAnswer({ interruptId, status, payload }: NonNullable<AgUiRun['resume']>[number]): ApprovalAnswer {
  return { requestId: interruptId, callId: null, reason: null, allowed: status === 'resolved' && isYes(payload) }
}

/** Clients say yes in more than one form; what is none of them is a no. */
function isYes(payload: unknown): boolean {
  if (payload === true || payload === 'allow' || payload === 'approved') return true
  if (typeof payload !== 'object' || payload === null) return false
  return ('approved' in payload && payload.approved === true) || ('decision' in payload && payload.decision === 'allow')
}

function isOfUser(message: unknown): boolean {
  return typeof message === 'object' && message !== null && 'role' in message && message.role === 'user'
}

function isNothing(value: unknown): boolean {
  if (value === undefined || value === null) return true
  return typeof value === 'object' && Object.keys(value).length === 0
}

function contentOf({ content }: AgUiUserMessage): SentPart[] {
  const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  const sent = parts.flatMap((part): SentPart[] => {
    if (part.type === 'text') return part.text ? [{ type: 'text', text: part.text }] : []
    const attachmentId = /(?:^|\/)attachments\/([^/?#]+)$/.exec(part.source?.value ?? '')?.[1]
    if (attachmentId === undefined)
      throw new RefusedError(
        422,
        'unknown-attachment',
        'A file is sent by reference: upload it with POST /api/v1/attachments, and give /api/v1/attachments/ID as the value of its source',
      )
    return [{ type: part.type === 'image' ? 'image' : 'file', attachmentId: decodeURIComponent(attachmentId) }]
  })
  if (sent.length === 0) throw new RefusedError(400, 'bad-request', 'The message has no text and no file')
  return sent
}
