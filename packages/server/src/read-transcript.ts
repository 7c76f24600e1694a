import { type EntryLog, MAX_PAGE_ENTRIES, transcript, visibleItems } from '@holdfast/conversation'
import { type TranscriptAnswerItem, toTranscriptAnswer } from '@holdfast/protocol'

/** A page of what a person reads. */
export interface TranscriptPage {
  readonly items: readonly TranscriptAnswerItem[]
  readonly head: number
}

/** Which page. */
export interface TranscriptQuery {
  readonly conversationId: string
  /** The items before this `seq`; null for the newest. */
  readonly before: number | null
  readonly limit: number
}

/** Folds the log into what a person reads and cuts a page from its end. */
export async function readTranscript(store: Pick<EntryLog, 'read'>, query: TranscriptQuery): Promise<TranscriptPage> {
  const { conversationId, before, limit } = query
  let state = transcript.initial
  for (;;) {
    const page = await store.read({ conversationId, after: state.path.head, limit: MAX_PAGE_ENTRIES })
    state = transcript.reduce(state, page.entries)
    if (page.entries.length > 0 && state.path.head < page.head) continue
    const items = visibleItems(state).filter((item) => before === null || item.seq < before)
    return { items: items.slice(-limit).map(toTranscriptAnswer), head: page.head }
  }
}
