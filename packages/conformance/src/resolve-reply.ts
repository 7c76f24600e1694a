import type { Answer, AnswerPart, UsageFigures } from './answer.ts'
import type { Format, PartSigner } from './format.ts'
import { chunksOf } from './frame.ts'
import { type Random, randomId } from './random.ts'
import type { Finish, Reply, ReplyPart } from './reply.ts'
import type { Tokenizer } from './tokenizer.ts'

const CHUNK_CHARS = 12

/** What a reply needs to become an answer. */
export interface ReplyContext {
  readonly format: Format
  readonly random: Random
  readonly sign: PartSigner
  readonly tokenizer: Tokenizer
  readonly model: string
  readonly usage: Omit<UsageFigures, 'outputTokens' | 'thinkingTokens'>
  readonly createdSeconds: number
  readonly includeUsage: boolean
}

/** The reply with ids, signatures and figures. */
export function resolveReply(reply: Reply, context: ReplyContext): Answer {
  const { format, random, tokenizer } = context
  const parts: AnswerPart[] = []
  for (const part of reply.parts) parts.push(resolvePart({ part, before: parts, reply, context }))
  const thinkingTokens = sum(parts.map((part) => (part.type === 'thinking' ? tokenizer.count(part.text) : 0)))
  return {
    id: randomId({ random, prefix: format.ids.answer, length: format.ids.length }),
    model: reply.modelName ?? context.model,
    parts,
    finish: reply.finish ?? usualFinish(reply),
    usage: { ...context.usage, outputTokens: sum(parts.map((part) => partTokens(part, tokenizer))), thinkingTokens },
    usageMode: reply.usage ?? 'vendor',
    reversedIndexes: reply.reversedIndexes ?? false,
    createdSeconds: context.createdSeconds,
    includeUsage: context.includeUsage,
  }
}

function usualFinish({ parts }: Reply): Finish {
  return parts.some(({ type }) => type === 'tool-call') ? 'tool-calls' : 'end'
}

function resolvePart({
  part,
  before,
  reply,
  context,
}: {
  readonly part: ReplyPart
  readonly before: readonly AnswerPart[]
  readonly reply: Reply
  readonly context: ReplyContext
}): AnswerPart {
  const chunked = (text: string, chunks: readonly string[] | undefined): Iterable<string> =>
    chunks ?? { [Symbol.iterator]: () => chunksOf(text, reply.chunkChars ?? CHUNK_CHARS) }
  switch (part.type) {
    case 'text': {
      const text = part.chunks?.join('') ?? part.text
      return { type: 'text', text, chunks: chunked(text, part.chunks) }
    }
    case 'thinking': {
      const text = part.chunks?.join('') ?? part.text
      const signature = signed(part.signature ?? 'valid', context.sign({ ...part, text }, before))
      return { type: 'thinking', text, chunks: chunked(text, part.chunks), signature }
    }
    case 'redacted-thinking':
      return { type: 'redacted-thinking', data: context.sign(part, before) ?? '' }
    case 'tool-call': {
      const input = part.raw ?? JSON.stringify(part.input)
      return {
        type: 'tool-call',
        id: callId(part.id, context),
        name: part.name,
        namespace: part.namespace,
        input,
        chunks: chunked(input, part.chunks),
        signature: context.sign(part, before),
      }
    }
    case 'unknown':
      return part
  }
}

function signed(wanted: 'valid' | 'missing' | 'altered', signature: string | undefined): string | undefined {
  if (signature === undefined || wanted === 'missing') return undefined
  return wanted === 'valid' ? signature : Buffer.from('not a signature').toString('base64')
}

function callId(given: string | null | undefined, { format, random }: ReplyContext): string | undefined {
  if (given === null || (given === undefined && format.ids.call === '')) return undefined
  return given ?? randomId({ random, prefix: format.ids.call, length: format.ids.length })
}

function partTokens(part: AnswerPart, tokenizer: Tokenizer): number {
  switch (part.type) {
    case 'text':
    case 'thinking':
      return tokenizer.count(part.text)
    case 'tool-call':
      return tokenizer.count(part.name + part.input)
    case 'redacted-thinking':
      return tokenizer.count(part.data)
    case 'unknown':
      return 1
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
