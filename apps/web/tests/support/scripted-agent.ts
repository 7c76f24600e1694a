import type { Reply, ReplyPart, SeenRequest } from '@holdfast/conformance'
import * as z from 'zod'

const Block = z.union([z.object({ type: z.literal('text'), text: z.string() }), z.object({ type: z.string() })])
const Body = z.object({
  tools: z.array(z.unknown()).default([]),
  messages: z.array(z.object({ role: z.string(), content: z.union([z.string(), z.array(Block)]) })),
})
type Message = z.infer<typeof Body>['messages'][number]

/** What an agent does after some words of its person, step by step: words, calls, or both. */
export type Acts = Readonly<Record<string, readonly (readonly ReplyPart[])[]>>

/**
 * A model that plays a part over the Messages format: it looks for the last words that it knows, and takes the step
 * that comes after those that it has taken since.
 */
export function scriptedAgent(acts: Acts): (request: SeenRequest) => Reply {
  return ({ body }) => {
    const { messages, tools } = Body.parse(body)
    const heard = messages.findLastIndex((message) => knownWords(acts, message) !== undefined)
    const words = messages[heard] && knownWords(acts, messages[heard])
    if (words === undefined || tools.length === 0) return { parts: [{ type: 'text', text: 'The greeting page' }] }
    const taken = messages.slice(heard + 1).filter(({ role }) => role === 'assistant').length
    return { parts: acts[words]?.[taken] ?? [{ type: 'text', text: 'That is all.' }] }
  }
}

function knownWords(acts: Acts, { role, content }: Message): string | undefined {
  if (role !== 'user') return undefined
  const said =
    typeof content === 'string' ? content : content.map((block) => ('text' in block ? block.text : '')).join('\n')
  return Object.keys(acts).find((words) => said.includes(words))
}
