import {
  type AgentContext,
  type ClientCapabilities,
  type ElicitationPropertySchema,
  methods,
  type PermissionOption,
} from '@agentclientprotocol/sdk/unstable'
import type { EntryOf } from '@holdfast/conversation'
import { routes } from '@holdfast/protocol'
import * as z from 'zod'
import type { LastingApi } from '../reach/lasting-api.ts'
import { diffOf, kindOf, locationsOf, titleOf } from './tool-words.ts'

/** Where questions of one session go. */
export interface AskingClient {
  readonly client: AgentContext
  readonly capabilities: ClientCapabilities
  readonly api: LastingApi
  readonly sessionId: string
  readonly cwd: string
  readonly nextCommand: () => string
}

/** What is asked, until when, and for which conversation: that of a sub-agent, or the session's own. [AGENT71] */
export interface AskedHere<Kind extends 'permission-requested' | 'question-asked'> {
  readonly entry: EntryOf<Kind>
  readonly conversationId: string
  readonly signal: AbortSignal
}

const OPTIONS: PermissionOption[] = [
  { optionId: 'call', name: 'Allow', kind: 'allow_once' },
  { optionId: 'conversation', name: 'Allow for this conversation', kind: 'allow_always' },
  { optionId: 'deny', name: 'Deny', kind: 'reject_once' },
]

const Answered = z.object({
  outcome: z.discriminatedUnion('outcome', [
    z.object({ outcome: z.literal('cancelled') }),
    z.object({ outcome: z.literal('selected'), optionId: z.string() }),
  ]),
})

/** Asks the person at the editor about a call. What was answered elsewhere in the meantime is taken back there. */
export async function askPermission(
  { client, api, sessionId, cwd, nextCommand }: AskingClient,
  { entry, conversationId, signal }: AskedHere<'permission-requested'>,
): Promise<void> {
  const { callId, tool, input, reason, requestId } = entry
  const isOwn = conversationId === sessionId
  const who = isOwn ? '' : `A sub-agent, in conversation ${conversationId}, asks: `
  // A sub-agent may work in a worktree of its own, where a file of the same name is another one.
  const folder = isOwn ? cwd : null
  const toolCall = {
    toolCallId: callId,
    title: titleOf(tool, input),
    kind: kindOf(tool),
    status: 'pending' as const,
    locations: locationsOf(input, folder),
    content: [
      ...diffOf(tool, input, folder),
      { type: 'content' as const, content: { type: 'text' as const, text: `${who}${reason}` } },
    ],
    rawInput: input,
  }
  const asked = { sessionId, toolCall, options: OPTIONS }
  const waiting = { cancellationSignal: signal, stopWaitingOnCancel: true }
  const { outcome } = Answered.parse(await client.request(methods.client.session.requestPermission, asked, waiting))
  if (outcome.outcome === 'cancelled' || signal.aborted) return
  const isDenied = outcome.optionId === 'deny'
  const body = {
    commandId: nextCommand(),
    decision: isDenied ? ('deny' as const) : ('allow' as const),
    ...(outcome.optionId === 'conversation' ? { scope: 'conversation' as const } : {}),
    ...(isDenied ? { reason: 'Denied in the editor.' } : {}),
  }
  await api.call(routes.answerPermission, { params: { id: conversationId, requestId }, body })
}

const Told = z.object({
  action: z.string(),
  content: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())])).nullish(),
})

/** Puts a question of a running call before the person; an editor that shows none declines it, so that the reply goes on. */
export async function askQuestion(
  { client, capabilities, api, sessionId, nextCommand }: AskingClient,
  { entry, conversationId, signal }: AskedHere<'question-asked'>,
): Promise<void> {
  const { questionId, message, wish, source } = entry
  const params = { id: conversationId, questionId }
  const isShown = wish.type === 'form' && capabilities.elicitation?.form != null
  if (!isShown) {
    await api.call(routes.answerQuestion, { params, body: { commandId: nextCommand(), action: 'decline' } })
    return
  }
  const requestedSchema = {
    type: 'object' as const,
    properties: Object.fromEntries(wish.fields.map((field) => [field.name, schemaOf(field)])),
    required: wish.fields.filter(({ required }) => required).map(({ name }) => name),
  }
  const asked = { mode: 'form' as const, sessionId, message: `${source}: ${message}`, requestedSchema }
  const waiting = { cancellationSignal: signal, stopWaitingOnCancel: true }
  const answer = Told.parse(await client.request(methods.client.elicitation.create, asked, waiting))
  if (signal.aborted) return
  const isAccepted = answer.action === 'accept'
  const given = isAccepted && answer.content != null ? { content: answer.content } : {}
  const action = isAccepted ? 'accept' : answer.action === 'decline' ? 'decline' : 'cancel'
  await api.call(routes.answerQuestion, { params, body: { commandId: nextCommand(), action, ...given } })
}

type Field = Extract<EntryOf<'question-asked'>['wish'], { type: 'form' }>['fields'][number]

function schemaOf(field: Field): ElicitationPropertySchema {
  const { title, description } = field
  const about = { title, description: description ?? null }
  switch (field.type) {
    case 'text':
      return { type: 'string', ...about }
    case 'number':
      return { type: field.isInteger ? 'integer' : 'number', ...about }
    case 'boolean':
      return { type: 'boolean', ...about }
    case 'choice':
      return {
        type: 'string',
        ...about,
        oneOf: field.options.map(({ value, title: name }) => ({ const: value, title: name })),
      }
    case 'choices':
      return {
        type: 'array',
        ...about,
        items: { anyOf: field.options.map(({ value, title: name }) => ({ const: value, title: name })) },
      }
  }
}
