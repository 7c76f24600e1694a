import type { Engine } from '../api/engine.ts'
import type { EnginePorts } from '../api/ports.ts'
import { previewErasure } from '../commands/erased-words.ts'
import { readChanges } from '../commands/review-changes.ts'
import type { Hosts } from '../live/hosts.ts'
import { contextReport } from './context-report.ts'
import type { KnownContexts } from './known-contexts.ts'
import { listTools, listToolsOfNew } from './list-tools.ts'
import { nextRequest } from './next-request.ts'
import { priceNew, priceNext } from './price-next.ts'
import { receiptOf } from './receipt.ts'
import { suggestedRules, triedRule } from './try-rules.ts'

/** What would be, and what a request was made of. Nothing is changed by it. */
export type EnginePreviews = Pick<
  Engine,
  | 'contextOf'
  | 'priceOfNew'
  | 'priceOf'
  | 'receiptOf'
  | 'nextRequest'
  | 'listTools'
  | 'listToolsOfNew'
  | 'readChanges'
  | 'previewErasure'
  | 'suggestRules'
  | 'tryRule'
>

/** What the previews work with. */
export interface EnginePreviewsDeps {
  readonly ports: EnginePorts
  readonly hosts: Hosts
  readonly contexts: KnownContexts
}

/** Makes the previews of an engine. */
export function createPreviews({ ports, hosts, contexts }: EnginePreviewsDeps): EnginePreviews {
  return {
    contextOf: (conversationId) => hosts.use(conversationId, ({ log }) => contextReport({ ports, contexts }, log)),
    priceOfNew: (question) => priceNew(ports, question),
    priceOf: (question) => hosts.use(question.conversationId, ({ log }) => priceNext(ports, log, question)),
    receiptOf: (asked) => receiptOf(ports, asked),
    nextRequest: (asked) => hosts.use(asked.conversationId, ({ log }) => nextRequest(ports, log, asked.content)),
    listTools: (conversationId) => hosts.use(conversationId, ({ log }) => listTools(ports, log)),
    listToolsOfNew: (asked) => listToolsOfNew(ports, asked),
    readChanges: (asked) => hosts.use(asked.conversationId, ({ log }) => readChanges(ports, log, asked)),
    previewErasure: (named) => previewErasure(ports.store, named),
    suggestRules: (asked) => suggestedRules(ports, asked),
    tryRule: (asked) => triedRule(ports, asked),
  }
}
