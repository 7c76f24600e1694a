import {
  type Entry,
  type EntryLog,
  type EntryPage,
  entriesAfter,
  erasedEntries,
  erasureCandidates,
  MAX_PAGE_ENTRIES,
} from '@holdfast/conversation'
import type { NamedWords } from '../api/conversation-engine.ts'
import { UnknownConversationError } from '../api/unknown-conversation.ts'

type Log = Pick<EntryLog, 'read'>

/** The entries that an erasure names, with what the calls of its answers returned and asked where that is meant. [LOG9] */
export async function namedSeqs(log: Log, named: NamedWords): Promise<readonly number[]> {
  if (named.withResults !== true) return named.seqs
  const seqs = new Set(named.seqs)
  const steps = new Set<string>()
  const requests = new Set<string>()
  for await (const { entries } of pages(log, named.conversationId)) {
    for (const entry of entries) {
      if (entry.type === 'step-finished' && seqs.has(entry.seq)) steps.add(entry.stepId)
      if (entry.type === 'permission-requested' && steps.has(entry.stepId)) requests.add(entry.requestId)
      if (isResultOf(entry, steps) || isReasonOf(entry, requests)) seqs.add(entry.seq)
    }
  }
  return [...seqs]
}

/**
 * What the erasure of these words would erase, in the order of the log. [LOG9]
 *
 * @throws {UnknownConversationError | ErasureRefusedError}
 */
export async function previewErasure(log: Log, named: NamedWords): Promise<readonly Entry[]> {
  const { conversationId } = named
  const seqs = await namedSeqs(log, named)
  const wanted = new Set(seqs)
  const first: Entry[] = []
  let isEmpty = true
  for await (const { entries } of pages(log, conversationId)) {
    isEmpty &&= entries.length === 0
    first.push(...entries.filter(({ seq, type }) => wanted.has(seq) || type === 'checkpoint-made'))
  }
  if (isEmpty) throw new UnknownConversationError(conversationId)
  const candidates = erasureCandidates(first)
  for (let grew = true; grew; ) {
    grew = false
    for await (const { entries } of pages(log, conversationId)) grew = candidates.take(entries) || grew
  }
  const inOrder = candidates.found().toSorted((a, b) => a.seq - b.seq)
  return erasedEntries(inOrder, seqs)
}

/** What a person answered to a question goes with the question. */
function isResultOf(entry: Entry, steps: ReadonlySet<string>): boolean {
  switch (entry.type) {
    case 'tool-call-settled':
    case 'tool-result-late':
    case 'question-asked':
      return steps.has(entry.stepId)
    default:
      return false
  }
}

/** The words with which a person denied a call. */
function isReasonOf(entry: Entry, requests: ReadonlySet<string>): boolean {
  return entry.type === 'permission-settled' && entry.reason !== undefined && requests.has(entry.requestId)
}

function pages(log: Log, conversationId: string): AsyncGenerator<EntryPage> {
  return entriesAfter(log, { conversationId, after: 0, pageEntries: MAX_PAGE_ENTRIES })
}
