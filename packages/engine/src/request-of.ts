import { buildRequest, type RequestSource, requestFacts, untilOpenCalls } from '@holdfast/context'
import {
  type Entry,
  type EntryOf,
  type EntryStore,
  entriesOnPath,
  type Overview,
  pathRanges,
} from '@holdfast/conversation'
import type { ModelRequest } from '@holdfast/provider'

const PAGE = 500

/** Characters of one text above which the model is sent an excerpt. [DEFAULTS] */
const ITEM_LIMIT_CHARS = 50_000

/** Whose request, and to whom. */
export interface RequestAt {
  readonly conversationId: string
  readonly state: Overview
  readonly providerId: string
  readonly modelId: string
}

/** The request of the next step: the entries of the active path, as the pure builder makes them. [REQ1] */
export async function requestOf(store: EntryStore, at: RequestAt): Promise<ModelRequest> {
  return buildRequest(await sourceOf(store, at))
}

/** The request without the calls that are open, for the estimate of one that a crash cut off. [STOP8] */
export async function quietRequestOf(store: EntryStore, at: RequestAt): Promise<ModelRequest> {
  const source = await sourceOf(store, at)
  return buildRequest({ ...source, entries: untilOpenCalls(source.entries) })
}

async function sourceOf(store: EntryStore, at: RequestAt): Promise<RequestSource> {
  const { conversationId, state, providerId, modelId } = at
  const log: Entry[] = []
  for (let after = 0; after < state.head; ) {
    const page = await store.read({ conversationId, after, limit: Math.min(PAGE, state.head - after) })
    log.push(...page.entries)
    after = page.entries.at(-1)?.seq ?? state.head
  }
  return {
    providerId,
    modelId,
    settings: {
      system: state.settings.instructions ?? '',
      parameters: state.settings.parameters ?? {},
      thinkingBudgetTokens: null,
      maxOutputTokens: null,
      itemLimitChars: ITEM_LIMIT_CHARS,
    },
    facts: requestFacts.reduce(requestFacts.initial, log),
    entries: entriesOnPath(log, pathRanges(state.path)),
    carried: log.filter((entry): entry is EntryOf<'user-message-sent'> => entry.type === 'user-message-sent'),
  }
}
