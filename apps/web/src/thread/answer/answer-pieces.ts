import type {
  ErasedItem,
  TranscriptCall,
  TranscriptItem,
  TranscriptItemOf,
  TranscriptPart,
} from '@holdfast/conversation'

/** One thing of an answer that is shown by itself. */
export type AnswerPiece =
  | { readonly type: 'words'; readonly key: string; readonly text: string }
  | {
      readonly type: 'thinking'
      readonly key: string
      readonly text: string
      readonly tokens: number | null
      /** How long the model thought in this answer; null where that was not measured. */
      readonly thoughtMs: number | null
      /** The answer that it belongs to. */
      readonly seq: number
    }
  | { readonly type: 'calls'; readonly key: string; readonly calls: readonly TranscriptCall[] }
  | { readonly type: 'failure'; readonly key: string; readonly item: TranscriptItemOf<'error'> }
  | { readonly type: 'erased'; readonly key: string; readonly item: ErasedItem }

/** The answer of a turn, in its order. Calls with nothing between them stand together, also those of several steps. */
export function answerPieces(items: readonly TranscriptItem[]): readonly AnswerPiece[] {
  const pieces: AnswerPiece[] = []
  for (const item of items) {
    // A step's words keep the name that they had while they streamed.
    const key = item.stepId ?? String(item.seq)
    if (item.state === 'erased') addErased(pieces, { key, item })
    else if (item.role === 'error') pieces.push({ type: 'failure', key: `failure-${item.seq}`, item })
    else {
      item.parts.forEach((part, index) => addPart(pieces, part, { key: `${key}-${index}`, item }))
      addCalls(pieces, item)
    }
  }
  return pieces
}

function addPart(
  pieces: AnswerPiece[],
  part: TranscriptPart,
  { key, item }: { readonly key: string; readonly item: TranscriptItem },
): void {
  if (part.type === 'text' && part.text.trim() !== '') pieces.push({ type: 'words', key, text: part.text })
  if (part.type === 'thinking') {
    const thoughtMs = item.state !== 'erased' && item.role === 'assistant' ? (item.thinkingMs ?? null) : null
    const tokens = item.usage?.thinkingTokens ?? null
    pieces.push({ type: 'thinking', key, text: part.text, tokens, thoughtMs, seq: item.seq })
  }
}

/** What went in one act has one receipt. */
function addErased(pieces: AnswerPiece[], erased: { readonly key: string; readonly item: ErasedItem }): void {
  const last = pieces.at(-1)
  if (last?.type === 'erased' && last.item.erasure.erasedAt === erased.item.erasure.erasedAt) return
  pieces.push({ type: 'erased', ...erased })
}

function addCalls(pieces: AnswerPiece[], { seq, toolCalls }: TranscriptItem): void {
  if (toolCalls.length === 0) return
  const last = pieces.at(-1)
  if (last?.type === 'calls') pieces[pieces.length - 1] = { ...last, calls: [...last.calls, ...toolCalls] }
  else pieces.push({ type: 'calls', key: `calls-${seq}`, calls: toolCalls })
}

/** So many calls in a row that went well are folded into one line once their turn is over. */
const FOLDED_CALLS = 3

/** The rows of a group of calls: one for each, or one for several. What did not go well is never folded. */
export function callRows(
  calls: readonly TranscriptCall[],
  isRunOpen: boolean,
): readonly (readonly [TranscriptCall, ...TranscriptCall[]])[] {
  const rows: [TranscriptCall, ...TranscriptCall[]][] = []
  for (const call of calls) {
    const row = rows.at(-1)
    if (!isRunOpen && call.outcome === 'ok' && row?.[0].outcome === 'ok') row.push(call)
    else rows.push([call])
  }
  return rows.flatMap((row) => (row.length >= FOLDED_CALLS ? [row] : row.map((call): [TranscriptCall] => [call])))
}
