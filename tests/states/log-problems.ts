import type { RequestRecord } from '@holdfast/conformance'
import type { Entry } from '@holdfast/conversation'
import { of } from './evidence.ts'

/** [REQ2] What the provider refuses, it says; only a scripted fault may fail. */
export function requestProblems(requests: readonly RequestRecord[]): string[] {
  return requests.flatMap(({ number, status, fault, violations }) => {
    const told = violations.map(({ rule, message }) => `${rule}: ${message}`).join('; ')
    const isRefused = status !== undefined && status >= 400 && fault === undefined
    return violations.length > 0 || isRefused ? [`request ${number} got ${status}: ${told}`] : []
  })
}

/** [RUN1] One end for each run, and none is open. */
export function runProblems(log: readonly Entry[]): string[] {
  return of(log, 'run-started').flatMap(({ runId }) => {
    const ends = of(log, 'run-finished').filter((end) => end.runId === runId).length
    return ends === 1 ? [] : [`run ${runId} has ${ends} ends`]
  })
}

/** [TOOL2, STOP5] One outcome for each call that the model completed, and for no other. */
export function callProblems(log: readonly Entry[]): string[] {
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
export function ledgerProblems(
  entries: readonly Entry[],
  requests: readonly Pick<RequestRecord, 'operation'>[],
): string[] {
  const records = of(entries, 'usage-recorded').map(({ stepId }) => stepId)
  const steps = of(entries, 'step-started').map(({ stepId }) => stepId)
  const seen = requests.filter(({ operation }) => operation === 'stream' || operation === 'generate').length
  return [
    ...(records.length >= seen ? [] : [`the provider saw ${seen} requests, the ledger has ${records.length} records`]),
    ...steps
      .filter((stepId) => records.filter((other) => other === stepId).length !== 1)
      .map((stepId) => `step ${stepId} has not one record`),
  ]
}
