import type { AnswerBlock, BlobReference, InputPart } from '@holdfast/conversation'
import type { ModelRequest, RequestMessage } from '../model-port.ts'
import { bodyOf, type RequestBlobs } from '../request-blobs.ts'
import { plainCallId, shortCallId, type WireCallId } from '../wire/call-ids.ts'
import { fileAsText, inputAsText } from '../wire/input-text.ts'
import type { WireJson } from '../wire/json-text.ts'
import { inputObject } from '../wire/tool-input.ts'
import type { ChatTraits } from './chat-traits.ts'
import { reasoningFields } from './reasoning-state.ts'

interface Encoding {
  readonly blobs: RequestBlobs
  readonly traits: ChatTraits
}

type UserPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string } }

/**
 * Writes the messages. A result stands directly after its call; what cannot stand in it, images, follows the
 * results of the step in a user message, which what the person says next joins: roles alternate. [REQ2]
 */
export function encodeMessages(request: ModelRequest, encoding: Encoding): WireJson[] {
  const { traits } = encoding
  const callIdOf: WireCallId = traits.shortCallIds ? shortCallId : plainCallId
  const wire: WireJson[] = []
  if (request.system.trim() !== '') wire.push({ role: traits.systemRole, content: request.system })
  let user: UserPart[] = []
  let lastRole: RequestMessage['role'] | null = null
  const flush = (): void => {
    if (user.length === 0) return
    if (lastRole === 'tool' && traits.answersBeforeUser) wire.push({ role: 'assistant', content: NOTHING_ADDED })
    wire.push({ role: 'user', content: userContent(user) })
    user = []
  }
  for (const message of request.messages) {
    switch (message.role) {
      case 'user':
        user.push(...message.parts.flatMap((part) => inputPart(part, encoding)))
        break
      case 'tool':
        lastRole = 'tool'
        wire.push({ role: 'tool', tool_call_id: callIdOf(message.callId), content: resultText(message, traits) })
        user.push(...resultImages(message, callIdOf(message.callId), encoding))
        break
      case 'assistant': {
        const answer = assistantMessage(message.blocks, { traits, callIdOf })
        if (!answer) break
        flush()
        lastRole = 'assistant'
        wire.push(answer)
      }
    }
  }
  flush()
  return wire
}

/** What stands for the answer that the model did not give, because a person spoke first. */
const NOTHING_ADDED = '(Nothing was said before the next message.)'

/** Words alone are a plain string: many servers take nothing else. */
function userContent(parts: readonly UserPart[]): WireJson {
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  return texts.length === parts.length ? texts.join('\n\n') : parts
}

function inputPart(part: InputPart, encoding: Encoding): UserPart[] {
  switch (part.type) {
    case 'text':
      return textPart(part.text)
    case 'image':
      return encoding.traits.images ? [imagePart(part.blob, encoding.blobs)] : textPart(inputAsText(part))
    case 'file':
      return filePart(part, encoding)
    case 'quote':
    case 'element':
    case 'error':
    case 'link':
    case 'canvas':
    case 'mention':
    case 'resource':
      return textPart(inputAsText(part))
  }
}

function filePart(part: Extract<InputPart, { type: 'file' }>, { blobs, traits }: Encoding): UserPart[] {
  const { mediaType, hash } = part.blob
  if (mediaType.startsWith('image/') && traits.images) return [imagePart(part.blob, blobs)]
  if (!/^text\/|[/+](?:json|xml|yaml|toml|javascript|typescript)$/.test(mediaType)) return textPart(inputAsText(part))
  const text = Buffer.from(bodyOf(blobs, hash), 'base64').toString('utf8')
  return textPart(fileAsText(part, text))
}

function imagePart({ mediaType, hash }: BlobReference, blobs: RequestBlobs): UserPart {
  return { type: 'image_url', image_url: { url: `data:${mediaType};base64,${bodyOf(blobs, hash)}` } }
}

function textPart(text: string): UserPart[] {
  return text.trim() === '' ? [] : [{ type: 'text', text }]
}

/** A result is never empty: some templates leave an empty one out, and its call stands alone. */
function resultText({ content, isError }: Extract<RequestMessage, { role: 'tool' }>, traits: ChatTraits): string {
  const texts = content.flatMap((part) => {
    if (part.type === 'text') return part.text.trim() === '' ? [] : [part.text]
    return [traits.images ? '(The image follows.)' : inputAsText(part)]
  })
  if (texts.length > 0) return texts.join('\n\n')
  return isError ? '(error without a message)' : '(no output)'
}

function resultImages(
  { content }: Extract<RequestMessage, { role: 'tool' }>,
  callId: string,
  { blobs, traits }: Encoding,
): UserPart[] {
  const images = traits.images ? content.filter((part) => part.type === 'image') : []
  if (images.length === 0) return []
  return [
    { type: 'text', text: `(Image from the tool call ${callId}:)` },
    ...images.map(({ blob }) => imagePart(blob, blobs)),
  ]
}

/** Null when nothing is left to send; content is null only beside calls. [RUN12] */
function assistantMessage(
  blocks: readonly AnswerBlock[],
  { traits, callIdOf }: { readonly traits: ChatTraits; readonly callIdOf: WireCallId },
): WireJson | null {
  const texts = blocks.flatMap((block) => (block.type === 'text' && block.text.trim() !== '' ? [block.text] : []))
  const calls = blocks.flatMap((block): WireJson[] => {
    if (block.type !== 'tool-call') return []
    const text = inputObject(block.inputText).text
    return [{ id: callIdOf(block.callId), type: 'function', function: { name: block.name, arguments: text } }]
  })
  if (texts.length === 0 && calls.length === 0) return null
  return {
    role: 'assistant',
    content: texts.length === 0 ? null : texts.join('\n\n'),
    ...reasoningFields(blocks, traits, calls.length > 0),
    tool_calls: calls.length === 0 ? undefined : calls,
  }
}
