import type { LanguageModelV3Prompt, LanguageModelV4Prompt } from '@ai-sdk/provider'
import type { AnswerBlock, InputPart, Json, ToolResultPart } from '@holdfast/conversation'
import type { ModelRequest, RequestMessage } from '../model-port.ts'
import { bodyOf, type RequestBlobs } from '../request-blobs.ts'
import { fileAsText, inputAsText } from '../wire/input-text.ts'
import { isObjectText } from '../wire/json-reader.ts'
import { metadataFor, type PackageMetadata } from './package-state.ts'

/** What decides how the prompt is written. */
export interface PromptOptions {
  readonly blobs: RequestBlobs
  /** The package, as it names itself: state goes back to the one that gave it. [REQ4] */
  readonly packageName: string
  /** How the package is asked to keep the prefix after a message; null where it cannot be asked. */
  readonly cacheMark: ((ttl: '5m' | '1h') => PackageMetadata) | null
}

type Options = { providerOptions?: Record<string, Record<string, Json>> }
type Text = { type: 'text'; text: string } & Options
type Call = { type: 'tool-call'; toolCallId: string; toolName: string; input: Json } & Options
type Thought = { type: 'reasoning'; text: string } & Options
type Output<Picture> =
  | { type: 'text'; value: string }
  | { type: 'error-text'; value: string }
  | { type: 'content'; value: (Text | Picture)[] }
type Result<Picture> = { type: 'tool-result'; toolCallId: string; toolName: string; output: Output<Picture> }
type Message<File, Picture> = (
  | { role: 'system'; content: string }
  | { role: 'user'; content: (Text | File)[] }
  | { role: 'assistant'; content: (Text | Thought | Call)[] }
  | { role: 'tool'; content: Result<Picture>[] }
) &
  Options

/** In what the two versions of the interface differ: how a body is held. */
interface Forms<File, Picture> {
  file(base64: string, mediaType: string, name: string | undefined): File
  picture(base64: string, mediaType: string): Picture
}

/** The prompt for a model of version 4 of the interface. */
export function encodePromptV4(request: ModelRequest, options: PromptOptions): LanguageModelV4Prompt {
  return encodePrompt(request, options, {
    file: (data, mediaType, name) => ({
      type: 'file' as const,
      data: { type: 'data' as const, data },
      mediaType,
      ...(name === undefined ? {} : { filename: name }),
    }),
    picture: (data, mediaType) => ({ type: 'file' as const, data: { type: 'data' as const, data }, mediaType }),
  })
}

/** The prompt for a model of version 3 of the interface. */
export function encodePromptV3(request: ModelRequest, options: PromptOptions): LanguageModelV3Prompt {
  return encodePrompt(request, options, {
    file: (data, mediaType, name) => ({
      type: 'file' as const,
      data,
      mediaType,
      ...(name === undefined ? {} : { filename: name }),
    }),
    picture: (data, mediaType) => ({ type: 'image-data' as const, data, mediaType }),
  })
}

function encodePrompt<File, Picture>(
  request: ModelRequest,
  options: PromptOptions,
  forms: Forms<File, Picture>,
): Message<File, Picture>[] {
  const { cacheMarks, system } = request
  const mark = cacheMarks && options.cacheMark ? options.cacheMark(cacheMarks.ttl) : null
  const names = toolNames(request.messages)
  const prompt: Message<File, Picture>[] = []
  if (system.trim() !== '')
    prompt.push({ role: 'system', content: system, ...optionsOf(cacheMarks?.system ? mark : null) })
  for (const [index, message] of request.messages.entries()) {
    const encoded = encodeMessage(message, { options, forms, names })
    if (!encoded) continue
    const marked = cacheMarks?.messages.includes(index) ? mark : null
    const last = prompt.at(-1)
    // The results of one step are one message: vendors count them against the calls of the message before.
    if (last?.role === 'tool' && encoded.role === 'tool') {
      last.content.push(...encoded.content)
      if (marked) last.providerOptions = mutable(marked)
    } else prompt.push({ ...encoded, ...optionsOf(marked) })
  }
  return prompt
}

interface Encoding<File, Picture> {
  readonly options: PromptOptions
  readonly forms: Forms<File, Picture>
  readonly names: ReadonlyMap<string, string>
}

function encodeMessage<File, Picture>(
  message: RequestMessage,
  encoding: Encoding<File, Picture>,
): Message<File, Picture> | null {
  switch (message.role) {
    case 'user': {
      const content = message.parts.flatMap((part) => inputPart(part, encoding))
      return content.length === 0 ? null : { role: 'user', content }
    }
    case 'assistant': {
      const content = message.blocks.flatMap((block) => answerPart(block, encoding.options.packageName))
      return content.some(({ type }) => type !== 'reasoning') ? { role: 'assistant', content } : null
    }
    case 'tool':
      return {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: message.callId,
            toolName: encoding.names.get(message.callId) ?? '',
            output: outputOf(message, encoding),
          },
        ],
      }
  }
}

function inputPart<File, Picture>(part: InputPart, { options, forms }: Encoding<File, Picture>): (Text | File)[] {
  if (part.type === 'text') return part.text.trim() === '' ? [] : [{ type: 'text', text: part.text }]
  const isPicture =
    part.type === 'image' || (part.type === 'file' && /^image\/|^application\/pdf$/.test(part.blob.mediaType))
  if (isPicture) return [forms.file(bodyOf(options.blobs, part.blob.hash), part.blob.mediaType, part.name)]
  if (part.type !== 'file' || !/^text\/|[/+](?:json|xml|yaml)$/.test(part.blob.mediaType))
    return [{ type: 'text', text: inputAsText(part) }]
  const text = Buffer.from(bodyOf(options.blobs, part.blob.hash), 'base64').toString('utf8')
  return [{ type: 'text', text: fileAsText(part, text) }]
}

/** Thinking goes back only to the package that signed it. */
function answerPart(block: AnswerBlock, packageName: string): (Text | Thought | Call)[] {
  const metadata = metadataFor(packageName, block)
  switch (block.type) {
    case 'text':
      return block.text.trim() === '' && metadata === null
        ? []
        : [{ type: 'text', text: block.text, ...optionsOf(metadata) }]
    case 'thinking':
      return metadata === null ? [] : [{ type: 'reasoning', text: block.text, ...optionsOf(metadata) }]
    case 'tool-call': {
      const input: Json = isObjectText(block.inputText)
        ? JSON.parse(block.inputText)
        : { invalid_json: block.inputText }
      return [{ type: 'tool-call', toolCallId: block.callId, toolName: block.name, input, ...optionsOf(metadata) }]
    }
  }
}

function outputOf<File, Picture>(
  { content, isError }: Extract<RequestMessage, { role: 'tool' }>,
  { options, forms }: Encoding<File, Picture>,
): Output<Picture> {
  const words = content.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  const pictures = content.filter((part): part is Extract<ToolResultPart, { type: 'image' }> => part.type === 'image')
  const text =
    words.join('\n\n').trim() === '' ? (isError ? '(error without a message)' : '(no output)') : words.join('\n\n')
  if (isError) return { type: 'error-text', value: text }
  if (pictures.length === 0) return { type: 'text', value: text }
  const shown = pictures.map(({ blob }) => forms.picture(bodyOf(options.blobs, blob.hash), blob.mediaType))
  return { type: 'content', value: [{ type: 'text', text }, ...shown] }
}

function toolNames(messages: readonly RequestMessage[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (const message of messages) {
    if (message.role !== 'assistant') continue
    for (const block of message.blocks) if (block.type === 'tool-call') names.set(block.callId, block.name)
  }
  return names
}

function optionsOf(metadata: PackageMetadata | null): Options {
  return metadata === null ? {} : { providerOptions: mutable(metadata) }
}

/** The interface asks for records that may be written; a copy is given. */
function mutable(metadata: PackageMetadata): Record<string, Record<string, Json>> {
  return Object.fromEntries(Object.entries(metadata).map(([provider, fields]) => [provider, { ...fields }]))
}
