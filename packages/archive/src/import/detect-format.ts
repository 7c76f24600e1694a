import { aider } from '../formats/aider.ts'
import { chatbotUi } from '../formats/chatbot-ui.ts'
import { chatgpt } from '../formats/chatgpt.ts'
import { claudeCode } from '../formats/claude-code.ts'
import { codex } from '../formats/codex.ts'
import { copilot } from '../formats/copilot.ts'
import type { DocumentFormat, LineFormat, TextFormat } from '../formats/format-reader.ts'
import { gemini } from '../formats/gemini.ts'
import { librechat } from '../formats/librechat.ts'
import { openWebui } from '../formats/open-webui.ts'
import { openaiMessages } from '../formats/openai-messages.ts'
import { opencode } from '../formats/opencode.ts'
import { pi } from '../formats/pi.ts'
import { readJson } from '../log/bounded.ts'

const LINE_FORMATS: readonly LineFormat[] = [claudeCode, codex, pi, copilot]

/** Those that say most come first. */
const DOCUMENT_FORMATS: readonly DocumentFormat[] = [
  chatgpt,
  librechat,
  openWebui,
  gemini,
  opencode,
  chatbotUi,
  openaiMessages,
]

const TEXT_FORMATS: readonly TextFormat[] = [aider]

/** So many characters and lines at the beginning of a source tell its format. */
const LOOK_CHARS = 8 * 1024 * 1024
const LOOK_LINES = 50

/** What a source is, and the text of it that was read to find out, with the rest. */
export interface DetectedSource {
  readonly shape:
    | { readonly type: 'lines'; readonly format: LineFormat }
    | { readonly type: 'text'; readonly format: TextFormat }
    | { readonly type: 'document' }
    | { readonly type: 'unknown' }
  readonly text: AsyncIterable<string>
}

/** Looks at the beginning of a source: its content tells its format, never its name. */
export async function detectFormat(text: AsyncIterator<string>): Promise<DetectedSource> {
  const read: string[] = []
  let characters = 0
  let lines = 0
  let isWhole = false
  while (characters < LOOK_CHARS && lines < LOOK_LINES) {
    const next = await text.next()
    if (next.done) {
      isWhole = true
      break
    }
    read.push(next.value)
    characters += next.value.length
    lines += newlines(next.value)
  }
  return { shape: shapeOf(read.join(''), isWhole), text: withRead(read, text) }
}

/** The format of a document, or null where none knows it. */
export function documentFormatOf(document: unknown): DocumentFormat | null {
  return DOCUMENT_FORMATS.find((format) => format.recognizes(document)) ?? null
}

function shapeOf(head: string, isWhole: boolean): DetectedSource['shape'] {
  const first = head.trimStart()[0]
  if (first === '[') return { type: 'document' }
  const lines = head.split('\n')
  const whole = isWhole ? lines : lines.slice(0, -1)
  for (const line of whole.slice(0, LOOK_LINES)) {
    if (!line.trimStart().startsWith('{')) continue
    const record = readJson(line)
    const format = record === undefined ? undefined : LINE_FORMATS.find((one) => one.recognizes(record))
    if (format) return { type: 'lines', format }
  }
  const format = TEXT_FORMATS.find((one) => one.recognizes(head))
  if (format) return { type: 'text', format }
  return first === '{' ? { type: 'document' } : { type: 'unknown' }
}

/** In the pieces in which it was read: who takes one whole holds others up for as long as that takes. */
async function* withRead(read: readonly string[], rest: AsyncIterator<string>): AsyncGenerator<string> {
  yield* read
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value
}

function newlines(text: string): number {
  let count = 0
  for (let index = text.indexOf('\n'); index >= 0; index = text.indexOf('\n', index + 1)) count++
  return count
}
