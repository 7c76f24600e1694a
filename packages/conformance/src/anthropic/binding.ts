import type { AnswerPart } from '../answer.ts'
import type { CheckState } from '../check-state.ts'
import type { PartSigner } from '../format.ts'
import { isRecord, type JsonRecord, listOf, parseJson, textOf } from '../json.ts'
import type { ReplyPart } from '../reply.ts'
import { chainHash } from '../signer.ts'
import { type Block, isThinking, messagesOf, spell, systemBlocksOf, UNKNOWN_BLOCK } from './blocks.ts'

/** What a redacted block's data is sealed over; the data is its own content. */
export const REDACTED = 'redacted'

/** The hash of tools and instructions, with which the binding of thinking begins. */
export function bindingStart(body: JsonRecord): string {
  const tools = listOf(body.tools)
    .filter(isRecord)
    .filter((tool) => tool.defer_loading !== true)
    .map((tool) => spell('tool', tool))
  const system = systemBlocksOf(body).map(({ value }) => spell('system', value))
  return [...tools, ...system].reduce(chainHash, 'start')
}

/** The hash after one more block. Thinking is bound by its own chain; a block of an unknown kind binds nobody. */
export function bindingAfter(hash: string, role: string, block: Block): string {
  return isThinking(block) || block.type === UNKNOWN_BLOCK.type ? hash : chainHash(hash, spell(role, block.value))
}

/** The opaque text of a thinking block: its signature, or its data where it is redacted. */
export function signatureOf({ type, value }: Block): string {
  return textOf(type === 'thinking' ? value.signature : value.data)
}

/** Signs the thinking of an answer to this request. */
export function createAnthropicSigner(body: JsonRecord, { model, signer }: CheckState): PartSigner {
  const messages = messagesOf(body)
  const blocks = messages.flatMap(({ role, blocks: own }) => own.map((block) => ({ role, block })))
  const before = blocks.reduce((hash, { role, block }) => bindingAfter(hash, role, block), bindingStart(body))
  const last = blocks.map(({ block }) => block).findLast(isThinking)
  const lastSignature = last === undefined ? '' : signatureOf(last)

  return (part, earlier) => {
    const content = contentOf(part)
    if (content === undefined) return undefined
    const prefix = earlier.reduce((hash, done) => chainAnswerPart(hash, done), before)
    const previous = earlier.map(opaqueOf).findLast((text) => text !== undefined) ?? lastSignature
    return signer.seal({
      family: model.family,
      content,
      prefix: model.thinking === 'bound' ? prefix : '',
      previous,
    })
  }
}

function contentOf(part: ReplyPart): string | undefined {
  if (part.type === 'thinking') return part.text
  return part.type === 'redacted-thinking' ? REDACTED : undefined
}

function opaqueOf(part: AnswerPart): string | undefined {
  if (part.type === 'thinking') return part.signature
  return part.type === 'redacted-thinking' ? part.data : undefined
}

function chainAnswerPart(hash: string, part: AnswerPart): string {
  switch (part.type) {
    case 'text':
      return chainHash(hash, spell('assistant', { type: 'text', text: part.text }))
    case 'tool-call':
      return chainHash(
        hash,
        spell('assistant', { type: 'tool_use', id: part.id, name: part.name, input: parseJson(part.input) ?? {} }),
      )
    case 'thinking':
    case 'redacted-thinking':
    case 'unknown':
      return hash
  }
}
