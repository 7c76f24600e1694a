import { DEFAULT_AGENT_ID, type Entry, type Json } from '@holdfast/conversation'
import { type ModelRequest, type ModelTool, sharedTools } from '@holdfast/provider'
import type { RequestFacts } from '../sent/request-facts.ts'
import { headOf, marksAfter, type RequestHead, startSeqOf } from '../sent/request-head.ts'
import { sentSteps } from '../sent/sent-steps.ts'
import { type ComposedMessage, composeMessages } from './compose-messages.ts'
import { leftOutNotes } from './noted-facts.ts'
import { openingParts } from './opening-parts.ts'

/** Raised when the same log would give other bytes. A conversation keeps its version until its next boundary. [REQ1] */
export const BUILDER_VERSION = 1

/** What is set for the requests of a conversation. */
export interface RequestSettings {
  /** The instructions, as text that does not change by itself. [REQ6] */
  readonly system: string
  readonly parameters: Readonly<Record<string, Json>>
  readonly thinkingBudgetTokens: number | null
  readonly maxOutputTokens: number | null
  /** `none` keeps the definitions, and with them the cache. [TOOL10] */
  readonly toolChoice: 'auto' | 'none'
  /** Characters of one text above which an excerpt is sent. [WIN3] */
  readonly itemLimitChars: number
}

/** What a request is made from, and from nothing else. [REQ1] */
export interface RequestSource {
  /** Provider and model, as `step-started` names them. */
  readonly providerId: string
  readonly modelId: string
  /** What the provider calls the model. */
  readonly providerModelId: string
  readonly settings: RequestSettings
  /**
   * Who answers: replies of others are data, and notes that are for another agent alone are left out. Absent for the
   * agent of nobody's choice. [AGENT4]
   */
  readonly agentId?: string
  /** The definitions of the newest `tools-changed`, wherever in the log it stands. */
  readonly tools: readonly ModelTool[]
  /** `requestFacts`, folded over the whole log. */
  readonly facts: RequestFacts
  /** The entries of the active path, oldest first: all of it, or at least what the head of the request keeps. */
  readonly entries: readonly Entry[]
  /**
   * Entries from before those that are sent all the same, oldest first: the checkpoint that counts, and the messages
   * that it carries word for word. What `entries` holds need not be here. [CHK4]
   */
  readonly carried: readonly Entry[]
  /** False for a model whose thinking goes back also after other bytes than those before it. [REQ4] */
  readonly bindsThinking: boolean
}

/** A request with the entries that its messages hold. */
export interface ComposedRequest {
  readonly request: ModelRequest
  readonly messages: readonly ComposedMessage[]
  readonly head: RequestHead
}

/**
 * Makes the request from the log: same log, same bytes. [REQ1]
 *
 * Only what people said, answers, tool results, stop markers, noted facts and the summary of a checkpoint are sent;
 * titles, notices, errors, accounting lines and permissions never are. [REQ3]
 *
 * @throws {Error} when a call has no result, or the checkpoint carries a message that is not given.
 */
export function composeRequest(source: RequestSource): ComposedRequest {
  const { providerId, modelId, settings, facts, entries, carried, bindsThinking } = source
  const agentId = source.agentId ?? DEFAULT_AGENT_ID
  const head = headOfPath(entries, carried)
  const steps = sentSteps(entries, { providerId, modelId, agentId, facts, head, bindsThinking })
  const { itemLimitChars } = settings
  const opening = openingParts(head, { entries, carried, itemLimitChars })
  const startSeq = startSeqOf(head)
  const leftOut = leftOutNotes(entries, { head, agentId })
  const sent = entries.filter(({ seq }) => seq >= startSeq && !leftOut.has(seq))
  const messages = composeMessages({
    entries: sent,
    steps,
    opening,
    itemLimitChars,
    smallerBeforeSeq: facts.smallerBeforeSeq,
    excludedSeqs: facts.excludedSeqs,
  })
  return {
    head,
    messages,
    request: {
      modelId: source.providerModelId,
      system: settings.system.toWellFormed(),
      tools: sentTools(source.tools),
      toolChoice: settings.toolChoice,
      messages: messages.map(({ message }) => message),
      maxOutputTokens: settings.maxOutputTokens,
      thinkingBudgetTokens: settings.thinkingBudgetTokens,
      parameters: settings.parameters,
      cacheMarks: null,
    },
  }
}

/**
 * Where the request of a path begins.
 *
 * @throws {Error} when the window rests on a checkpoint that is not given.
 */
export function headOfPath(entries: readonly Entry[], carried: readonly Entry[]): RequestHead {
  let marks: Parameters<typeof marksAfter>[0] = []
  for (const entry of entries) marks = marksAfter(marks, entry)
  return headOf(marks, carried)
}

/** The lists of entries that were read, which stay the same objects from request to request. */
const sentOf = new WeakMap<readonly ModelTool[], readonly ModelTool[]>()

/** What the log says beside a definition is for people and permissions, not for the model. [TOOL16] */
function sentTools(definitions: readonly ModelTool[]): readonly ModelTool[] {
  const sent = sentOf.get(definitions) ?? sharedTools(definitions)
  sentOf.set(definitions, sent)
  return sent
}
