import type { AnswerBlock, InputPart, ToolResultPart } from '@holdfast/conversation'
import type { ModelRequest, RequestMessage } from '@holdfast/provider'
import { mediaTokens } from './media-tokens.ts'

/**
 * How large something is, before a model's ratio turns it into tokens. A weight of 1 is one Latin letter; what
 * takes more tokens weighs more. Pictures and documents are tokens already, by their vendor's formula. [COST5]
 */
export interface Size {
  readonly weight: number
  readonly mediaTokens: number
}

/** Characters of a dense script that weigh as one token of Latin letters. [DEFAULTS] */
const DENSE_WEIGHT = 2.75
const OTHER_SCRIPT_WEIGHT = 1.375

/** What stands around a message and around each of its parts on the wire, as weight. */
const MESSAGE_WEIGHT = 8
const PART_WEIGHT = 4

/** The size of nothing. */
export const NO_SIZE: Size = { weight: 0, mediaTokens: 0 }

/** The sum of two sizes. */
export function plus(one: Size, other: Size): Size {
  return { weight: one.weight + other.weight, mediaTokens: one.mediaTokens + other.mediaTokens }
}

/** Tokens of a size at a ratio of weight to tokens. */
export function toTokens({ weight, mediaTokens }: Size, ratio: number): number {
  return Math.ceil(weight / ratio) + mediaTokens
}

/** Tokens of a text at a ratio of weight to tokens: by its script, whoever wrote it. [COST5] */
export function textTokens(text: string, ratio: number): number {
  return toTokens({ weight: textWeight(text), mediaTokens: 0 }, ratio)
}

/** Tokens that the definition of a tool takes of a request, estimated. */
export function definitionTokens(
  { name, description, parameters }: ModelRequest['tools'][number],
  ratio: number,
): number {
  return Math.ceil(textWeight(JSON.stringify({ name, description, parameters })) / ratio)
}

/** The weight of a text by the scripts in it. */
export function textWeight(text: string): number {
  let weight = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code < 0x250) weight += 1
    else if (isDense(code)) weight += DENSE_WEIGHT
    else weight += OTHER_SCRIPT_WEIGHT
  }
  return weight
}

/** Chinese, Japanese and Korean: about one token a character. */
function isDense(code: number): boolean {
  return (
    (code >= 0x2e80 && code <= 0x9fff) ||
    (code >= 0xac00 && code <= 0xd7af) ||
    (code >= 0xf900 && code <= 0xfaff) ||
    (code >= 0xff00 && code <= 0xffef)
  )
}

/** The size of one message. */
export function messageSize(message: RequestMessage, family: string): Size {
  return partSizes(message, family).reduce(plus, { weight: MESSAGE_WEIGHT, mediaTokens: 0 })
}

/** The sizes of a message's parts or blocks, in their order. */
export function partSizes(message: RequestMessage, family: string): Size[] {
  switch (message.role) {
    case 'user':
      return message.parts.map((part) => partSize(part, family))
    case 'assistant':
      return message.blocks.map(blockSize)
    case 'tool':
      return message.content.map((part) => partSize(part, family))
  }
}

/** The size of what stands before the messages. */
export function headSize({ system, tools }: Pick<ModelRequest, 'system' | 'tools'>): { system: Size; tools: Size } {
  return {
    system: { weight: textWeight(system), mediaTokens: 0 },
    tools: { weight: toolsWeight(tools), mediaTokens: 0 },
  }
}

/** Definitions stay the same objects from request to request, and several sums of one request ask for them. */
const weightsOfTools = new WeakMap<ModelRequest['tools'][number], number>()

/** The weight of the definitions as one list in JSON: the list's own signs are one to each, and one more. */
function toolsWeight(tools: ModelRequest['tools']): number {
  if (tools.length === 0) return 0
  let weight = tools.length + 1
  for (const tool of tools) {
    const known = weightsOfTools.get(tool) ?? textWeight(JSON.stringify(tool))
    weightsOfTools.set(tool, known)
    weight += known
  }
  return weight
}

/** The size of a whole request. */
export function requestSize(request: ModelRequest, family: string): Size {
  const { system, tools } = headSize(request)
  return request.messages.reduce((sum, message) => plus(sum, messageSize(message, family)), plus(system, tools))
}

/** The size of a part that a person sent or a tool returned. */
export function partSize(part: InputPart | ToolResultPart, family: string): Size {
  switch (part.type) {
    case 'text':
      return words(part.text)
    case 'image':
    case 'file':
      return { weight: PART_WEIGHT, mediaTokens: mediaTokens(part, family) }
    case 'quote':
    case 'element':
    case 'error':
    case 'link':
    case 'canvas':
    case 'mention':
    case 'resource':
      return words(JSON.stringify(part))
  }
}

/** The size of a block of an answer; a signature is not read as tokens. */
export function blockSize(block: AnswerBlock): Size {
  return block.type === 'tool-call' ? words(`${block.name}${block.inputText}`) : words(block.text)
}

function words(text: string): Size {
  return { weight: PART_WEIGHT + textWeight(text), mediaTokens: 0 }
}
