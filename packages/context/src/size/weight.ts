import type { AnswerBlock, InputPart, ToolResultPart } from '@holdfast/conversation'
import type { ModelRequest, RequestMessage } from '@holdfast/provider'
import { mediaTokens } from './media-tokens.ts'
import { textWeight } from './text-weight.ts'

/**
 * How large something is, before a model's ratio turns it into tokens: what takes more tokens weighs more, and usual
 * text weighs about 1 a character. Pictures and documents are tokens already, by their vendor's formula. [COST5]
 */
export interface Size {
  readonly weight: number
  readonly mediaTokens: number
}

/** What stands around a message and around a call of a tool on the wire, as weight. Fitted with the weights of texts. */
export const MESSAGE_WEIGHT = 22
const CALL_WEIGHT = 55

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

/** Weights by schema and then by name and description: every conversation has definitions of its own, and their schemas are the same objects. */
const weightsOfDefinitions = new WeakMap<object, Map<string, number>>()

/** Tokens that the definition of a tool takes of a request, estimated. */
export function definitionTokens(definition: ModelRequest['tools'][number], ratio: number): number {
  return Math.ceil(definitionWeight(definition) / ratio)
}

function definitionWeight({ name, description, parameters }: ModelRequest['tools'][number]): number {
  const weigh = () => textWeight(JSON.stringify({ name, description, parameters }))
  if (typeof parameters !== 'object' || parameters === null) return weigh()
  const known = weightsOfDefinitions.get(parameters) ?? new Map<string, number>()
  weightsOfDefinitions.set(parameters, known)
  const words = `${name}\n${description}`
  const weight = known.get(words) ?? weigh()
  known.set(words, weight)
  return weight
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

/** The weight of the definitions as one list in JSON: the list has a sign for each of them, and one more. */
function toolsWeight(tools: ModelRequest['tools']): number {
  if (tools.length === 0) return 0
  let weight = (tools.length + 1) * textWeight(',')
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
      return { weight: 0, mediaTokens: mediaTokens(part, family) }
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

/** Blocks so long that they are weighed once: several sums of one request ask for them. In characters. */
const LONG_BLOCK = 20_000

const weightsOfBlocks = new WeakMap<AnswerBlock, Size>()

/** The size of a block of an answer; a signature is not read as tokens. */
export function blockSize(block: AnswerBlock): Size {
  const known = weightsOfBlocks.get(block)
  if (known) return known
  const size = sizeOfBlock(block)
  if ((block.type === 'tool-call' ? block.inputText : block.text).length > LONG_BLOCK) weightsOfBlocks.set(block, size)
  return size
}

function sizeOfBlock(block: AnswerBlock): Size {
  if (block.type !== 'tool-call') return words(block.text)
  return plus(plus(words(block.name), words(block.inputText)), { weight: CALL_WEIGHT, mediaTokens: 0 })
}

function words(text: string): Size {
  return { weight: textWeight(text), mediaTokens: 0 }
}
