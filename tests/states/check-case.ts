import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RequestRecord } from '@holdfast/conformance'
import type { Entry } from '@holdfast/conversation'
import type { Case } from './case.ts'
import { type Evidence, of } from './evidence.ts'
import type { Host } from './host.ts'
import { callProblems, ledgerProblems, requestProblems, runProblems } from './log-problems.ts'
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
