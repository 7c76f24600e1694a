import { canonicalJson, isRecord, type JsonRecord, listOf, recordOf, textOf } from '../json.ts'
import type { Segment } from '../segment.ts'
import { TOKENS_PER_IMAGE, TOKENS_PER_MESSAGE, type Tokenizer } from '../tokenizer.ts'

/** One part of a content. */
export interface Part {
  /** As `contents[2].parts[0]`. */
  readonly path: string
  readonly value: JsonRecord
  readonly call: JsonRecord | undefined
  readonly response: JsonRecord | undefined
  readonly signature: string
}

/** One content, which is a message. */
export interface Content {
  /** As `contents[2]`. */
  readonly path: string
  /** `user` where none is given. */
  readonly role: string
  readonly parts: readonly Part[]
}

/** The contents of a request; both spellings of the protocol's names are read. */
export function contentsOf(body: JsonRecord): readonly Content[] {
  return listOf(body.contents).map((item, index) => contentOf(item, `contents[${index}]`))
}

function contentOf(item: unknown, path: string): Content {
  const { role, parts } = recordOf(item)
  return {
    path,
    role: role === undefined ? 'user' : textOf(role),
    parts: listOf(parts).map((part, index) => {
      const value = recordOf(part)
      const call = value.functionCall ?? value.function_call
      const response = value.functionResponse ?? value.function_response
      return {
        path: `${path}.parts[${index}]`,
        value,
        call: isRecord(call) ? call : undefined,
        response: isRecord(response) ? response : undefined,
        signature: textOf(value.thoughtSignature ?? value.thought_signature),
      }
    }),
  }
}

const NOT_READ = new Set(['thoughtSignature', 'thought_signature'])

/** The request as blocks: tools, instructions, then one block per part. */
export function geminiSegments(body: JsonRecord, tokenizer: Tokenizer): readonly Segment[] {
  const tools = listOf(body.tools).map((tool, index): Segment => {
    const text = canonicalJson(tool, NOT_READ)
    return { path: `tools[${index}]`, part: 'tools', text, tokens: tokenizer.count(text) }
  })
  const instruction = body.systemInstruction ?? body.system_instruction
  const system =
    instruction === undefined ? [] : partSegments(contentOf(instruction, 'systemInstruction'), 'system', tokenizer)
  const messages = contentsOf(body).flatMap((content) => partSegments(content, 'messages', tokenizer))
  return [...tools, ...system, ...messages]
}

function partSegments({ role, parts }: Content, part: Segment['part'], tokenizer: Tokenizer): readonly Segment[] {
  return parts.map((piece, index) => ({
    path: piece.path,
    part,
    text: `${role}\0${canonicalJson(piece.value, NOT_READ)}`,
    tokens: partTokens(piece, tokenizer) + (index === 0 && part === 'messages' ? TOKENS_PER_MESSAGE : 0),
  }))
}

function partTokens({ value, call, response }: Part, tokenizer: Tokenizer): number {
  if (typeof value.text === 'string') return tokenizer.count(value.text)
  if (call !== undefined) return tokenizer.count(textOf(call.name) + JSON.stringify(call.args ?? {}))
  if (response !== undefined) return tokenizer.count(textOf(response.name) + JSON.stringify(response.response ?? {}))
  return TOKENS_PER_IMAGE
}
