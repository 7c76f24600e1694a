import type { Reply, ReplyPart, SeenRequest } from '@holdfast/conformance'
import * as z from 'zod'

const Block = z.union([z.object({ type: z.literal('text'), text: z.string() }), z.object({ type: z.string() })])
const Body = z.object({
  tools: z.array(z.unknown()).default([]),
  messages: z.array(z.object({ role: z.string(), content: z.union([z.string(), z.array(Block)]) })),
})
type Message = z.infer<typeof Body>['messages'][number]

/** Words, calls, or both; where it depends on what the model has been sent, made from that. */
type Step = readonly ReplyPart[] | ((sent: string) => readonly ReplyPart[])

/** What an agent does after some words of its person, step by step. */
export type Acts = Readonly<Record<string, readonly Step[]>>

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
    const step = acts[words]?.[taken] ?? [{ type: 'text', text: 'That is all.' }]
    return { parts: typeof step === 'function' ? step(JSON.stringify(body)) : step }
  }
}

function knownWords(acts: Acts, { role, content }: Message): string | undefined {
  if (role !== 'user') return undefined
  const said =
    typeof content === 'string' ? content : content.map((block) => ('text' in block ? block.text : '')).join('\n')
  return Object.keys(acts).find((words) => said.includes(words))
}
