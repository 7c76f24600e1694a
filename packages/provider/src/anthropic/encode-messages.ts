import type { AnswerBlock, InputPart, ToolResultPart } from '@holdfast/conversation'
import type { ModelRequest, RequestMessage } from '../model-port.ts'
import { bodyOf, type RequestBlobs } from '../request-blobs.ts'
import { plainCallId } from '../wire/call-ids.ts'
import { inputAsText } from '../wire/input-text.ts'
import type { WireJson } from '../wire/json-text.ts'
import { inputObject } from '../wire/tool-input.ts'
import { citationsWire, thinkingWire } from './provider-state.ts'

interface Encoding {
  readonly blobs: RequestBlobs
  /** What is put on a block that is marked; undefined when nothing is. */
  readonly mark: WireJson | undefined
}

/** A content block before it is written, with what decides where it may stand. */
interface Block {
  readonly fields: { readonly [key: string]: WireJson | undefined } | null
  /** A block that is sent as it came; it takes no mark. */
  readonly verbatim: WireJson | null
  readonly isResult: boolean
  readonly isThinking: boolean
  marked: boolean
}

interface Group {
  readonly role: 'user' | 'assistant'
  readonly blocks: Block[]
}

/** The images that Anthropic takes. */
const IMAGES: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp'])

/** Writes the messages, and counts the marks on them. */
export function encodeMessages(
  request: ModelRequest,
  encoding: Encoding,
): { readonly wire: WireJson; readonly marks: number } {
  const markAfter = new Set(encoding.mark === undefined ? [] : (request.cacheMarks?.messages ?? []))
  const groups: Group[] = []
  let lastMarkable: Block | null = null
  for (const [index, message] of request.messages.entries()) {
    const role = message.role === 'assistant' ? 'assistant' : 'user'
    const blocks = blocksOf(message, encoding.blobs)
    const group = groups.at(-1)?.role === role ? groups.at(-1) : undefined
    if (group) group.blocks.push(...blocks)
    else if (blocks.length > 0) groups.push({ role, blocks })
    lastMarkable = blocks.findLast(({ fields }) => fields !== null) ?? lastMarkable
    if (markAfter.has(index) && lastMarkable) lastMarkable.marked = true
  }
  let marks = 0
  const wire = groups.map(({ role, blocks }) => ({
    role,
    content: resultsFirst(blocks).map((block) => {
      if (block.fields === null) return block.verbatim
      if (block.marked) marks += 1
      return block.marked ? { ...block.fields, cache_control: encoding.mark } : block.fields
    }),
  }))
  return { wire, marks }
}

/** Results stand before anything else in the message after their calls, or the provider does not find them. [REQ2] */
function resultsFirst(blocks: readonly Block[]): readonly Block[] {
  return [...blocks.filter(({ isResult }) => isResult), ...blocks.filter(({ isResult }) => !isResult)]
}

function blocksOf(message: RequestMessage, blobs: RequestBlobs): Block[] {
  switch (message.role) {
    case 'user':
      return message.parts.flatMap((part) => inputBlock(part, blobs))
    case 'assistant':
      return answerBlocks(message.blocks)
    case 'tool':
      return [
        block(
          {
            type: 'tool_result',
            tool_use_id: plainCallId(message.callId),
            is_error: message.isError ? true : undefined,
            content: resultContent(message.content, blobs),
          },
          true,
        ),
      ]
  }
}

function inputBlock(part: InputPart, blobs: RequestBlobs): Block[] {
  if (part.type === 'text') return textBlock(part.text)
  if (part.type === 'image' && IMAGES.has(part.blob.mediaType)) return [block(imageFields(part.blob, blobs), false)]
  if (part.type === 'file') return fileBlock(part, blobs)
  return textBlock(inputAsText(part))
}

function fileBlock(part: Extract<InputPart, { type: 'file' }>, blobs: RequestBlobs): Block[] {
  const { mediaType, hash } = part.blob
  if (IMAGES.has(mediaType)) return [block(imageFields(part.blob, blobs), false)]
  if (mediaType === 'application/pdf') {
    const source = { type: 'base64', media_type: mediaType, data: bodyOf(blobs, hash) }
    return [block({ type: 'document', source, title: part.name }, false)]
  }
  if (!/^text\/|[/+](?:json|xml|yaml|toml|javascript|typescript)$/.test(mediaType)) return textBlock(inputAsText(part))
  const text = Buffer.from(bodyOf(blobs, hash), 'base64').toString('utf8')
  if (text.trim() === '') return textBlock(inputAsText(part))
  return [
    block(
      { type: 'document', source: { type: 'text', media_type: 'text/plain', data: text }, title: part.name },
      false,
    ),
  ]
}

/**
 * The answer as it came, but without what no history may hold: empty text, unsigned thinking, and thinking at the
 * end of a message, which is what a stop before the first word leaves. [REQ4, RUN12]
 */
function answerBlocks(answer: readonly AnswerBlock[]): Block[] {
  const blocks = answer.flatMap(answerBlock)
  while (blocks.at(-1)?.isThinking) blocks.pop()
  return blocks
}

function answerBlock(answer: AnswerBlock): Block[] {
  switch (answer.type) {
    case 'text':
      if (answer.text.trim() === '') return []
      return [block({ type: 'text', text: answer.text, citations: citationsWire(answer) }, false)]
    case 'thinking': {
      const thinking = thinkingWire(answer)
      if (!thinking) return []
      return [
        { fields: null, verbatim: thinking.wire, isResult: false, isThinking: thinking.isThinking, marked: false },
      ]
    }
    case 'tool-call': {
      const { name, inputText } = answer
      return [block({ type: 'tool_use', id: plainCallId(answer.callId), name, input: inputObject(inputText) }, false)]
    }
  }
}

function resultContent(content: readonly ToolResultPart[], blobs: RequestBlobs): WireJson | undefined {
  const parts = content.flatMap((part): WireJson[] => {
    if (part.type === 'text') return part.text.trim() === '' ? [] : [{ type: 'text', text: part.text }]
    return [IMAGES.has(part.blob.mediaType) ? imageFields(part.blob, blobs) : { type: 'text', text: inputAsText(part) }]
  })
  return parts.length === 0 ? undefined : parts
}

function imageFields(
  { mediaType, hash }: { mediaType: string; hash: string },
  blobs: RequestBlobs,
): { [key: string]: WireJson } {
  return { type: 'image', source: { type: 'base64', media_type: mediaType, data: bodyOf(blobs, hash) } }
}

function textBlock(text: string): Block[] {
  return text.trim() === '' ? [] : [block({ type: 'text', text }, false)]
}

function block(fields: NonNullable<Block['fields']>, isResult: boolean): Block {
  return { fields, verbatim: null, isResult, isThinking: false, marked: false }
}
