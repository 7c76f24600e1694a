import {
  type ModelFindings,
  modelFindings,
  type PromptCache,
  promptCache,
  type RequestFacts,
  requestFacts,
  type TokenRatios,
  tokenRatios,
} from '@holdfast/context'
import type { Projection } from '@holdfast/conversation'

/** What requests depend on beside the path: what unbinds thinking, what a token is worth, and what the cache holds. */
export interface RequestState {
  readonly facts: RequestFacts
  readonly ratios: TokenRatios
  readonly cache: PromptCache
  /** What the conversation has found out about models. */
  readonly findings: ModelFindings
}

/** Folded over the whole log and kept as a snapshot, so that no request reads all of it. [WIN5] */
export const requestState: Projection<RequestState> = {
  name: 'request-state',
  version: 6,
  initial: {
    facts: requestFacts.initial,
    ratios: tokenRatios.initial,
    cache: promptCache.initial,
    findings: modelFindings.initial,
  },
  reduce: ({ facts, ratios, cache, findings }, entries) => ({
    facts: requestFacts.reduce(facts, entries),
    ratios: tokenRatios.reduce(ratios, entries),
    cache: promptCache.reduce(cache, entries),
    findings: modelFindings.reduce(findings, entries),
  }),
}
