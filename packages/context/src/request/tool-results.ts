import type { Entry, EntryOf, ToolResultPart } from '@holdfast/conversation'
import type { RequestMessage } from '@holdfast/provider'
import { sentImage } from './input-parts.ts'
import { noteText } from './note.ts'
import { excerpt, sharedLimits } from './text.ts'

/** A settlement as it is sent, or the tombstone of one. */
type Settled = EntryOf<'tool-call-settled'> | EntryOf<'body-erased'>

/** A result, and whether a person left it out. */
export interface SentResult {
  readonly settled: Settled
  readonly isExcluded: boolean
}

/** What stands for a result that a person left out. [TOOL10] */
export const EXCLUDED_RESULT = 'The user left this result out. The call was made; what it gave is not shown.'

/** The results of calls, taken in the order in which they settled. Late results are not among them. [TOOL4] */
export interface ToolResults {
  /** The next result of a call of a step; null when there is none left. Matched by step, id and position, never by name. [RUN11] */
  take(stepId: string, callId: string): SentResult | null
}

/** Collects the results of a path. */
export function toolResults(entries: readonly Entry[], excludedSeqs: readonly number[]): ToolResults {
  const excluded = new Set(excludedSeqs)
  const results = new Map<string, Settled[]>()
  for (const entry of entries) {
    const key = settledKey(entry)
    if (key === null || (entry.type !== 'tool-call-settled' && entry.type !== 'body-erased')) continue
    const known = results.get(key)
    if (known) known.push(entry)
    else results.set(key, [entry])
  }
  return {
    take(stepId, callId) {
      const settled = results.get(keyOf(stepId, callId))?.shift()
      return settled === undefined ? null : { settled, isExcluded: excluded.has(settled.seq) }
    },
  }
}

/** The message that answers a call. */
export function resultMessage(
  { settled, isExcluded }: SentResult,
  options: { readonly callId: string; readonly itemLimitChars: number },
): Extract<RequestMessage, { role: 'tool' }> {
  const { callId, itemLimitChars } = options
  if (settled.type === 'body-erased')
    return { role: 'tool', callId, isError: false, content: [text(noteText('erased', 'This result was erased.'))] }
  const isError = settled.outcome !== 'ok'
  if (isExcluded) return { role: 'tool', callId, isError, content: [text(noteText('excluded', EXCLUDED_RESULT))] }
  const reference = `{"callId":${JSON.stringify(settled.callId)}}`
  const texts = settled.content.map((part) => (part.type === 'text' ? part.text : ''))
  const limits = sharedLimits(texts, itemLimitChars)
  const content = settled.content.flatMap((part, index): ToolResultPart[] => {
    if (part.type === 'image') return [sentImage(part)]
    const limitChars = limits[index] ?? 0
    return part.text.trim() === '' ? [] : [text(excerpt(part.text, { limitChars, reference }))]
  })
  if (settled.blob) {
    const { sizeBytes } = settled.blob
    content.push(text(`[… excerpt of ${sizeBytes} bytes; read_result ${reference} gives all …]`))
  }
  if (content.length > 0) return { role: 'tool', callId, isError, content }
  return { role: 'tool', callId, isError, content: [text(isError ? '(error without a message)' : '(no output)')] }
}

function settledKey(entry: Entry): string | null {
  if (entry.type === 'tool-call-settled') return keyOf(entry.stepId, entry.callId)
  if (entry.type !== 'body-erased' || entry.erasedType !== 'tool-call-settled') return null
  return keyOf(entry.of.stepId ?? '', entry.of.callId ?? '')
}

function keyOf(stepId: string, callId: string): string {
  return JSON.stringify([stepId, callId])
}

function text(words: string): ToolResultPart {
  return { type: 'text', text: words }
}
