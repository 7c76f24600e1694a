import type { Ending } from '../api/ending.ts'
import type { RunAtWork } from '../live/run-at-work.ts'
import { judgeBudgets } from './budget.ts'
import { priceOf } from './request-price.ts'
import { requestProblem } from './request-problem.ts'
import type { TurnRequest } from './turn-request.ts'

/**
 * How the run ends where its request must not be sent: it breaks a rule of requests, or a budget does not reach;
 * null where it may be. [REQ1, COST7]
 */
export async function whyNotSent(atWork: RunAtWork, at: TurnRequest): Promise<Ending | null> {
  const problem = requestProblem(at.request)
  if (problem !== null) {
    atWork.onFault(new Error(`The request of run ${atWork.runId} was not sent: ${problem}`))
    return { outcome: 'failed', reason: `Holdfast built a request that it does not send: ${problem}` }
  }
  return judgeBudgets(atWork, priceOf(at, atWork.ports.clock.now()).now)
}
