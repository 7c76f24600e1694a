import type { RequestRecord } from '@holdfast/conformance'
import type { AnswerBlock, Entry, EntryOf } from '@holdfast/conversation'
import type { Cut } from './cut.ts'

/** What can be read after a case. */
export interface Evidence {
  readonly cut: Cut
  /** The log of the conversation. */
  readonly own: readonly Entry[]
  /** The logs of its sub-agents. */
  readonly children: readonly (readonly Entry[])[]
  readonly requests: readonly RequestRecord[]
}

/** Says what shows that the turn was in another state when it was cut; null when all shows that it was in this one. */
export type Witness = (evidence: Evidence) => string | null

/** The second request was sent and nothing of its answer came. */
export const inConnecting: Witness = ({ own, requests }) => {
  const { blocks } = cutStep(own) ?? {}
  return blocks?.length === 0 && isLeft(requests[1]) ? null : `${said(blocks)}, request 2: ${requests[1]?.ending}`
}

/** The second answer was cut in a block of this kind, of which some was kept. */
export function inBlock(type: AnswerBlock['type']): Witness {
  return ({ own, requests }) => cutIn(type, own, requests[1])
}

/** The second answer was cut in its second call, or right behind it where calls are sent whole. */
export const inToolInput: Witness = ({ own, requests }) => {
  const { blocks } = cutStep(own) ?? {}
  const calls = blocks?.filter(({ type }) => type === 'tool-call').length
  return calls === 2 && isLeft(requests[1]) ? null : `${said(blocks)}, its request: ${requests[1]?.ending}`
}

/** The sub-agent's answer was cut in its text. */
export const inSubAgent: Witness = ({ children, requests }) =>
  children.length === 1 ? cutIn('text', children[0] ?? [], requests[2]) : `there are ${children.length} sub-agents`

/** The command had started, and was ended before its own end. */
export const inTool: Witness = ({ own, cut }) => {
  const outcomes = of(own, 'tool-call-settled').map(({ outcome }) => outcome)
  return outcomes.join() === (cut === 'stop' ? 'ok,aborted' : 'ok,unknown') ? null : `calls: ${outcomes.join()}`
}

/** A stop calls the request off; after a kill it is still there and is answered. */
export const inPermission: Witness = ({ own, cut }) => {
  const outcomes = of(own, 'permission-settled').map(({ outcome }) => outcome)
  return outcomes.join() === (cut === 'stop' ? 'cancelled' : 'allowed') ? null : `permissions: ${outcomes.join()}`
}

/** The request had failed, another attempt was due, and none was made in the run. */
export const inRetryWait: Witness = ({ own }) => {
  const failed = of(own, 'step-failed')[0]
  const attempts = of(own, 'step-started').filter(({ runId }) => runId === failed?.runId).length
  return failed?.retryAt !== undefined && attempts === 2 ? null : `retry at ${failed?.retryAt}, ${attempts} attempts`
}

/** Both tools had run, and nothing more was asked in the run. */
export const inBetween: Witness = ({ own }) => {
  const runId = of(own, 'run-started')[0]?.runId
  const outcomes = of(own, 'tool-call-settled').map(({ outcome }) => outcome)
  const steps = of(own, 'step-started').filter((step) => step.runId === runId).length
  return outcomes.join() === 'ok,ok' && steps === 1 ? null : `calls: ${outcomes.join()}, ${steps} steps`
}

/** A stop finds no run and holds what is about to start; after a kill the input is answered as if nothing had been. */
export const inAdmission: Witness = ({ own, cut }) => {
  const held = own.findIndex(({ type }) => type === 'queue-held')
  const started = own.findIndex(({ type }) => type === 'run-started')
  return cut === 'kill' || (held >= 0 && held < started) ? null : `held at ${held}, started at ${started}`
}

/** The first run was cut in its text, and another input was waiting then. */
export const inQueue: Witness = (evidence) => {
  const { own } = evidence
  const waiting = own.findIndex((entry) => entry.type === 'input-admitted' && entry.commandId === 'send-queued')
  const end = own.findIndex(({ type }) => type === 'run-finished')
  return waiting >= 0 && waiting < end ? inBlock('text')(evidence) : `waiting at ${waiting}, the run's end at ${end}`
}

function cutIn(type: AnswerBlock['type'], log: readonly Entry[], request: RequestRecord | undefined): string | null {
  const { blocks } = cutStep(log) ?? {}
  const isKept = blocks?.at(-1)?.type === type
  return isKept && isLeft(request) ? null : `${said(blocks)}, its request: ${request?.ending}`
}

/** The first answer that did not end by itself. */
function cutStep(log: readonly Entry[]): EntryOf<'step-finished'> | undefined {
  return of(log, 'step-finished').find(({ finish }) => finish === 'cut')
}

/** The client closed the connection before the answer's end. */
function isLeft(request: RequestRecord | undefined): boolean {
  return request?.ending === 'client-closed'
}

function said(blocks: readonly AnswerBlock[] | undefined): string {
  return blocks === undefined
    ? 'no answer was cut'
    : `the cut answer: ${blocks.map(({ type }) => type).join() || 'empty'}`
}

/** The entries of a type. */
export function of<Type extends Entry['type']>(log: readonly Entry[], type: Type): EntryOf<Type>[] {
  return log.filter((entry): entry is EntryOf<Type> => entry.type === type)
}
