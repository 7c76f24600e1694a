import { extendedRequest } from '@holdfast/context'
import type { Entry } from '@holdfast/conversation'
import type { ModelRequest } from '@holdfast/provider'

/** The longest title that is wanted, in tokens. */
export const MOST_TITLE_TOKENS = 200

/** The words that ask for a title. */
export const TITLE_INSTRUCTION = `<title-request>
Give this conversation a title: what it is about, in at most six words, in the language of the person. Reply with the title alone, without quotation marks. Do not call a tool.
</title-request>`

const MOST_EXCERPT_CHARS = 2_000

/** Entries from the beginning of a log among which its first exchange is looked for. */
export const BEGINNING_ENTRIES = 100

/** What a turn would send, with the question for a title at its end. [CACHE3] */
export function titleOfWhole(request: ModelRequest): ModelRequest {
  return extendedRequest(request, TITLE_INSTRUCTION)
}

/** The question for a title after the first exchange alone. */
export function titleOfBeginning(modelId: string, beginning: readonly Entry[]): ModelRequest {
  return {
    modelId,
    system: '',
    tools: [],
    toolChoice: 'auto',
    messages: [{ role: 'user', parts: [{ type: 'text', text: `${excerptOf(beginning)}\n${TITLE_INSTRUCTION}` }] }],
    maxOutputTokens: MOST_TITLE_TOKENS,
    thinkingBudgetTokens: null,
    parameters: {},
    cacheMarks: null,
  }
}

/** What was asked first and answered first, as data. [REQ7] */
export function excerptOf(entries: readonly Entry[]): string {
  const asked = entries.find((entry) => entry.type === 'user-message-sent')
  const answered = entries.find(
    (entry) => entry.type === 'step-finished' && entry.blocks.some(({ type }) => type === 'text'),
  )
  const said = asked?.type === 'user-message-sent' ? asked.content : []
  const blocks = answered?.type === 'step-finished' ? answered.blocks : []
  return [
    ['said', said.map((part) => (part.type === 'text' ? part.text : '')).join(' ')],
    ['answered', blocks.map((block) => (block.type === 'text' ? block.text : '')).join(' ')],
  ]
    .map(
      ([name, text]) =>
        `<${name}>\n${(text ?? '').slice(0, MOST_EXCERPT_CHARS).toWellFormed().replaceAll('<', '&lt;')}\n</${name}>`,
    )
    .join('\n')
}
