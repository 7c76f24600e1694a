import type { LentAnswer, LoanRequest } from '@holdfast/tool'
import * as z from 'zod'
import { hiddenIn } from './hidden-text.ts'

/** Messages of one wish. */
const MOST_MESSAGES = 100

const Part = z.looseObject({ type: z.string(), text: z.string().optional() })
const Message = z.looseObject({ role: z.enum(['user', 'assistant']), content: z.union([Part, z.array(Part)]) })

/** What a server wants to ask a model. Its words are data; which model answers is the conversation's. [REQ7] */
export const SamplingParameters = z.looseObject({
  messages: z.array(Message).min(1).max(MOST_MESSAGES),
  systemPrompt: z.string().optional(),
  maxTokens: z.int().positive(),
  tools: z.array(z.unknown()).optional(),
})
export type SamplingParameters = z.infer<typeof SamplingParameters>

/** A wish that can be put before a person, or why not, in words for the server. */
export type ReadLoan =
  | { readonly type: 'wish'; readonly wish: LoanRequest }
  | { readonly type: 'refused'; readonly reason: string }

/** Reads a server's wish. Only text is lent a model for, and only what a person can see. [TOOL13] */
export function readLoan(server: string, asked: SamplingParameters): ReadLoan {
  const { messages, maxTokens, tools } = asked
  const system = asked.systemPrompt ?? ''
  if (tools !== undefined && tools.length > 0) return refused('Tools are not offered with the model')
  const read = messages.map(({ role, content }) => ({ role, parts: Array.isArray(content) ? content : [content] }))
  const other = read.flatMap(({ parts }) => parts).find(({ type, text }) => type !== 'text' || text === undefined)
  if (other) return refused(`The model is lent for text, not for ${other.type.slice(0, 40)}`)
  const said = read.map(({ role, parts }) => ({ role, text: parts.flatMap(({ text }) => text ?? []).join('\n') }))
  const hidden = hiddenIn({ system, said })
  if (hidden !== null) return refused(`The words hold a hidden character (${hidden})`)
  return { type: 'wish', wish: { source: server, system, messages: said, maxOutputTokens: maxTokens } }
}

/** What a server is told that was lent a model. */
export type SamplingResult = {
  readonly role: 'assistant'
  readonly content: { readonly type: 'text'; readonly text: string }
  readonly model: string
  readonly stopReason: 'endTurn' | 'maxTokens'
}

/** What the server is told. */
export function toSamplingResult({ text, modelId, isCut }: Extract<LentAnswer, { type: 'answered' }>): SamplingResult {
  const content = { type: 'text', text } as const
  return { role: 'assistant', content, model: modelId, stopReason: isCut ? 'maxTokens' : 'endTurn' }
}

function refused(reason: string): ReadLoan {
  return { type: 'refused', reason }
}
