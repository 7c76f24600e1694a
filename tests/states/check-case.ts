import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RequestRecord } from '@holdfast/conformance'
import type { Entry } from '@holdfast/conversation'
import { type Evidence, of } from './evidence.ts'
import type { Host } from './host.ts'
import type { Case } from './run-case.ts'
import { ALL_DONE } from './states.ts'
import { EFFECTS_FILE, GROUPS_FILE } from './workshop-tools.ts'

/** What a case left behind, when the conversation has gone on and is quiet again. */
export interface LeftBehind {
  readonly host: Host
  readonly folder: string
  readonly requests: readonly RequestRecord[]
  readonly one: Case
}

/** What is wrong, each as a sentence; nothing when all is as it must be. */
export async function problemsOf({ host, folder, requests, one }: LeftBehind): Promise<readonly string[]> {
  const own = await host.log(host.conversationId)
  const childIds = own.flatMap((entry) =>
    entry.type === 'tool-call-started' && entry.childConversationId !== undefined ? [entry.childConversationId] : [],
  )
  const children = await Promise.all(childIds.map((id) => host.log(id)))
  const logs = [own, ...children]
  return [
    ...host.faults.map((fault) => `the engine met a fault: ${String(fault)}`),
    ...requestProblems(requests),
    ...logs.flatMap(runProblems),
    ...logs.flatMap(callProblems),
    ...ledgerProblems(logs.flat(), requests),
    ...effectProblems(logs.flat(), folder),
    ...endProblems(own, outcomeOf(one)),
    ...stateProblems(one, { cut: one.cut, own, children, requests }),
  ]
}

/** [REQ2] What the provider refuses, it says; only a scripted fault may fail. */
function requestProblems(requests: readonly RequestRecord[]): string[] {
  return requests.flatMap(({ number, status, fault, violations }) => {
    const told = violations.map(({ rule, message }) => `${rule}: ${message}`).join('; ')
    const isRefused = status !== undefined && status >= 400 && fault === undefined
    return violations.length > 0 || isRefused ? [`request ${number} got ${status}: ${told}`] : []
  })
}

/** [RUN1] One end for each run, and none is open. */
function runProblems(log: readonly Entry[]): string[] {
  return of(log, 'run-started').flatMap(({ runId }) => {
    const ends = of(log, 'run-finished').filter((end) => end.runId === runId).length
    return ends === 1 ? [] : [`run ${runId} has ${ends} ends`]
  })
}

/** [TOOL2, STOP5] One outcome for each call that the model completed, and for no other. */
function callProblems(log: readonly Entry[]): string[] {
  const made = of(log, 'step-finished').flatMap(({ blocks }) =>
    blocks.flatMap((block) => (block.type === 'tool-call' && block.complete ? [block.callId] : [])),
  )
  const settled = of(log, 'tool-call-settled').map(({ callId }) => callId)
  return [
    ...made
      .filter((id) => settled.filter((other) => other === id).length !== 1)
      .map((id) => `call ${id} is not settled`),
    ...settled.filter((id) => !made.includes(id)).map((id) => `call ${id} is settled and was never made`),
  ]
}

/** [COST1] A record for each request that the provider saw, also for those that ended in the middle. */
function ledgerProblems(entries: readonly Entry[], requests: readonly RequestRecord[]): string[] {
  const records = of(entries, 'usage-recorded').map(({ stepId }) => stepId)
  const steps = of(entries, 'step-started').map(({ stepId }) => stepId)
  const seen = requests.filter(({ operation }) => operation === 'stream' || operation === 'generate').length
  return [
    ...(records.length === seen ? [] : [`the provider saw ${seen} requests, the ledger has ${records.length} records`]),
    ...steps
      .filter((stepId) => records.filter((other) => other === stepId).length !== 1)
      .map((stepId) => `step ${stepId} has not one record`),
  ]
}

/** [TOOL6] No call took effect twice, and none that was not written down as started. */
function effectProblems(entries: readonly Entry[], folder: string): string[] {
  const effects = linesOf(join(folder, EFFECTS_FILE))
  const started = of(entries, 'tool-call-started').map(({ callId }) => callId)
  return [
    ...effects
      .filter((callId, index) => effects.indexOf(callId) !== index)
      .map((callId) => `call ${callId} took effect twice`),
    ...effects
      .filter((callId) => !started.includes(callId))
      .map((callId) => `call ${callId} took effect and was not written down`),
  ]
}

/** The first run ended as it had to, the others by themselves; every input was answered, and the last answer is the model's. */
function endProblems(log: readonly Entry[], outcome: 'stopped' | 'interrupted' | 'completed'): string[] {
  const [first, ...others] = of(log, 'run-finished')
  const admitted = of(log, 'input-admitted').length
  const sent = of(log, 'user-message-sent').length
  const last = of(log, 'step-finished').at(-1)
  const words = last?.blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('')
  return [
    ...(first?.outcome === outcome ? [] : [`the run ended as ${first?.outcome}, not as ${outcome}`]),
    ...others
      .filter((end) => end.outcome !== 'completed')
      .map((end) => `run ${end.runId} ended as ${end.outcome}: ${end.reason}`),
    ...(others.length > 0 || outcome === 'completed' ? [] : ['the conversation did not go on']),
    ...(admitted === sent ? [] : [`${admitted} inputs were admitted, ${sent} were sent`]),
    ...(words === ALL_DONE ? [] : [`the last answer is: ${words}`]),
  ]
}

/** How the first run must have ended: what was cut before it began is not a run that was cut, and a parked run waits for its person. [RUN4] */
function outcomeOf({ cut, state: { name } }: Case): 'stopped' | 'interrupted' | 'completed' {
  if (name === 'admitted' || (cut === 'kill' && name === 'permission pending')) return 'completed'
  return cut === 'stop' ? 'stopped' : 'interrupted'
}

/** A case that was cut in another state shows nothing. */
function stateProblems({ state }: Case, evidence: Evidence): string[] {
  const against = state.witness(evidence)
  return against === null ? [] : [`it was not cut in "${state.name}": ${against}`]
}

/** The process groups that the tools of a folder have started. */
export function groupsIn(folder: string): readonly number[] {
  return linesOf(join(folder, GROUPS_FILE)).map(Number)
}

function linesOf(path: string): string[] {
  try {
    return readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}
