import { DEFAULT_AGENT, type Entry, type EntryOf, type Purpose } from '@holdfast/conversation'
import { modelFamily } from '../size/model-family.ts'
import type { RequestFacts } from './request-facts.ts'
import { headMarkSeq, marksAfter, type RequestHead } from './request-head.ts'

/** What decides how the answer of a step is sent. */
export interface SentStep {
  /** Whether the request goes to the provider and the model family that answered: what it gave goes back to it. [REQ4] */
  readonly isOwn: boolean
  /** Whether its thinking goes back: the bytes before it are those that it is bound to, or it is bound to none. [REQ4] */
  readonly sendsThinking: boolean
  /** What the agent that answered is called, where another one answers now: its reply is sent as data. [AGENT4] */
  readonly otherAgent: string | null
}

/** What is known of the request that is made. */
export interface SentTo {
  readonly providerId: string
  readonly modelId: string
  /** Who answers now. */
  readonly agentId: string
  readonly facts: RequestFacts
  readonly head: RequestHead
  /** Whether the model's thinking is bound to all before it. */
  readonly bindsThinking: boolean
}

/** Whether the answer to a request belongs to the conversation; all other requests stand beside it. [REQ3] */
export function isAnswering(purpose: Purpose): boolean {
  return purpose === 'turn'
}

/**
 * The answering steps of a path, by id. Thinking goes back only while everything before it is as it was: same
 * model family, same head, nothing changed or erased in between. So it is dropped from the front. Thinking that is
 * bound to nothing goes back with its answer wherever that stands: some models refuse calls without it. [REQ4]
 */
export function sentSteps(entries: readonly Entry[], to: SentTo): ReadonlyMap<string, SentStep> {
  const steps = new Map<string, SentStep>()
  const { facts } = to
  let marks: Parameters<typeof marksAfter>[0] = []
  for (const entry of entries) {
    marks = marksAfter(marks, entry)
    if (entry.type !== 'step-started' || !isAnswering(entry.purpose)) continue
    const isOwn = isSameModel(entry, to)
    const agent = entry.agent ?? DEFAULT_AGENT
    const isAsItWas = entry.seq > facts.unboundBeforeSeq && (marks.at(-1)?.seq ?? 0) === headMarkSeq(to.head)
    const isTaken = entry.seq > facts.droppedBeforeSeq && entry.at > facts.unboundUntil
    steps.set(entry.stepId, {
      isOwn,
      sendsThinking: isOwn && isTaken && (isAsItWas || !to.bindsThinking),
      otherAgent: agent.agentId === to.agentId ? null : agent.name,
    })
  }
  return steps
}

function isSameModel(step: EntryOf<'step-started'>, to: SentTo): boolean {
  return step.providerId === to.providerId && modelFamily(step.modelId) === modelFamily(to.modelId)
}
