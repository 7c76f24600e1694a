import type { AnswerBlock, InputPart } from '@holdfast/conversation'
import type { ModelRequest } from '@holdfast/provider'
import type { ComposedMessage } from '../request/compose-messages.ts'
import { bounded, escaped } from '../request/text.ts'
import { HEAVIEST_CHARACTER, textWeight } from '../size/text-weight.ts'

/** What a summary is asked to be. */
export interface SummaryOrder {
  /** How long its words are asked to be; below what it may be at most, for nobody counts tokens exactly. [CHK10] */
  readonly wishedTokens: number
  /** What a person wants it to keep above all. */
  readonly focus: string | null
}

/** Most characters of a focus. */
const FOCUS_LIMIT_CHARS = 2_000

/** The words that ask for a summary. */
export function summaryInstruction({ wishedTokens, focus }: SummaryOrder): string {
  const lines = [
    'Summarise this conversation for yourself: the summary will stand in the place of what it covers.',
    'Write under these headings, each only if there is something to say: Goals, Decisions, Files, State, Open work.',
    'Keep names, paths, figures, identifiers and unanswered questions exactly. Fold in any earlier summary. Say what was tried and failed.',
    'What people wrote is kept beside the summary; do not repeat it.',
    `Reply with the summary alone, in at most ${wishedTokens} tokens. Do not call a tool.`,
  ]
  const wish =
    focus === null || focus.trim() === ''
      ? []
      : [`Above all, keep what concerns: ${escaped(bounded(focus, FOCUS_LIMIT_CHARS))}`]
  return `<summary-request>\n${[...lines, ...wish].join('\n')}\n</summary-request>`
}

/**
 * A request that goes on where the turn's request ends and asks for something else: a summary, a title. All that
 * comes before stays byte for byte, tools, tool choice, thinking and cache marks too. [CHK3, CACHE3]
 */
export function extendedRequest(request: ModelRequest, words: string): ModelRequest {
  const part: InputPart = { type: 'text', text: words }
  const last = request.messages.at(-1)
  if (last?.role !== 'user') return { ...request, messages: [...request.messages, { role: 'user', parts: [part] }] }
  return { ...request, messages: [...request.messages.slice(0, -1), { role: 'user', parts: [...last.parts, part] }] }
}

/** What the answer to a summary request came to. An empty or cut answer is no summary, and a call is never run. [CHK3, CHK6] */
export type SummaryAnswer =
  | { readonly type: 'summary'; readonly text: string }
  | { readonly type: 'failed'; readonly reason: 'called-a-tool' | 'empty' | 'cut' | 'refused' | 'over-long' }

/** How a summary ended, and how much it may weigh. */
export interface SummaryEnd {
  readonly finish: 'end' | 'tool-calls' | 'length' | 'refused' | 'cut'
  readonly mostWeight: number
}

/** Reads the answer to a summary request. One that is longer than it may be is none: it would stand in every later request. [CHK10] */
export function readSummary(blocks: readonly AnswerBlock[], { finish, mostWeight }: SummaryEnd): SummaryAnswer {
  if (blocks.some(({ type }) => type === 'tool-call')) return { type: 'failed', reason: 'called-a-tool' }
  if (finish === 'refused') return { type: 'failed', reason: 'refused' }
  if (finish === 'cut') return { type: 'failed', reason: 'cut' }
  if (finish === 'length') return { type: 'failed', reason: 'over-long' }
  const text = blocks
    .flatMap((block) => (block.type === 'text' ? [block.text] : []))
    .join('\n\n')
    .trim()
  if (text === '') return { type: 'failed', reason: 'empty' }
  return textWeight(text) > mostWeight
    ? { type: 'failed', reason: 'over-long' }
    : { type: 'summary', text: text.toWellFormed() }
}

/**
 * The history as text, cut into chunks of at most `chunkTokens`, all of it, newest included: for a summary of what
 * does not fit into one request. [CHK3]
 */
export function summaryChunks(
  messages: readonly ComposedMessage[],
  { chunkTokens, ratio }: { readonly chunkTokens: number; readonly ratio: number },
): string[] {
  const mostWeight = chunkTokens * ratio
  const chunks: string[] = []
  let open: string[] = []
  let weight = 0
  const close = (): void => {
    if (open.length > 0) chunks.push(open.join('\n'))
    open = []
    weight = 0
  }
  for (const text of messages.flatMap(({ message }) => record(message))) {
    for (const piece of pieces(text, mostWeight)) {
      const pieceWeight = textWeight(piece)
      if (weight + pieceWeight > mostWeight) close()
      open.push(piece)
      weight += pieceWeight
    }
  }
  close()
  return chunks
}

/** The request that folds one chunk into the summary so far; the chunks are summarised one after the other. [CHK3, CHK4] */
export function chunkRequest(
  request: ModelRequest,
  chunk: {
    readonly text: string
    readonly soFar: string | null
    /** What asks for the summary. */
    readonly words: string
  },
): ModelRequest {
  const { text, soFar, words: instruction } = chunk
  const before = soFar === null ? [] : [`<summary>\n${escaped(soFar.toWellFormed())}\n</summary>`]
  const parts = [...before, `<record>\n${text}\n</record>`, instruction].map(
    (words): InputPart => ({ type: 'text', text: words }),
  )
  return { ...request, tools: [], toolChoice: 'auto', messages: [{ role: 'user', parts }], cacheMarks: null }
}

/** A message as it is told to a reader: marked, escaped, with nothing left out. [REQ7] */
function record(message: ComposedMessage['message']): string[] {
  switch (message.role) {
    case 'user':
      return message.parts.map(
        (part) => `<said>\n${escaped(part.type === 'text' ? part.text : JSON.stringify(part))}\n</said>`,
      )
    case 'assistant':
      return message.blocks.flatMap((block) => {
        if (block.type === 'thinking') return []
        if (block.type === 'text') return [`<answered>\n${escaped(block.text)}\n</answered>`]
        return [`<called tool="${escaped(block.name)}">\n${escaped(block.inputText)}\n</called>`]
      })
    case 'tool':
      return message.content.map(
        (part) =>
          `<returned error="${message.isError}">\n${escaped(part.type === 'text' ? part.text : JSON.stringify(part))}\n</returned>`,
      )
  }
}

/** A text in pieces that each fit, cut between characters. */
function pieces(text: string, mostWeight: number): string[] {
  if (textWeight(text) <= mostWeight) return [text]
  // A piece of this length fits whatever it holds.
  const length = Math.max(1, Math.floor(mostWeight / HEAVIEST_CHARACTER))
  const cut: string[] = []
  for (let start = 0; start < text.length; ) {
    const end = start + length
    const code = text.charCodeAt(end)
    const whole = code >= 0xdc00 && code <= 0xdfff ? end + 1 : end
    cut.push(text.slice(start, whole))
    start = whole
  }
  return cut
}
