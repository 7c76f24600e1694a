import type { AgentsWorld, TestedConversation } from './agents-world.ts'

/** A stop has this long until its turn has an end, in milliseconds: what the rule gives, and what writing it takes. */
const STOP_LIMIT_MS = 6_000

/** The longest time between the beginning of a turn and its stop, in milliseconds: in the start of an agent and in its answer. */
const LONGEST_BEFORE_MS = 1_500

/** What came of stops. */
export interface Stops {
  cancels: number
  hangs: number
  doubledEnds: number
  lateUpdates: number
  longestStopMs: number
  withoutText: number
}

/** Stops turns at random moments; what an answer says names its turn, so that nothing late can hide. */
export async function stopAtRandom(
  { provider }: Pick<AgentsWorld, 'provider'>,
  talk: TestedConversation,
  { count, dice, stops }: { readonly count: number; readonly dice: () => number; readonly stops: Stops },
): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) {
    const [stopped, whole] = [`word${turn}a`, `word${turn}b`]
    provider.otherwise({ parts: [{ type: 'text', text: `${stopped} `.repeat(400) }], deltasPerSecond: 60 })
    const before = (await talk.ofType('run-started')).filter(({ purpose }) => purpose === 'turn').length
    await talk.send(`Say ${stopped}.`)
    await pause(dice() * LONGEST_BEFORE_MS)
    const at = performance.now()
    await talk.stop()
    await talk.turnEnd(before + 1)
    const tookMs = performance.now() - at
    stops.longestStopMs = Math.max(stops.longestStopMs, Math.round(tookMs))
    if (tookMs > STOP_LIMIT_MS) stops.hangs += 1
    provider.otherwise({ parts: [{ type: 'text', text: whole }] })
    const answered = (await talk.answers()).length
    const end = await talk.turn(`Say ${whole}.`)
    const said = (await talk.answers()).slice(answered)
    if (end['outcome'] !== 'completed' || !said.includes(whole)) {
      stops.withoutText += 1
      console.error(`Turn ${turn} ended as ${JSON.stringify(end)} with: ${said.slice(0, 200)}`)
    }
    if (said.includes(stopped)) {
      stops.lateUpdates += 1
      console.error(`Late in turn ${turn}: ${said.slice(0, 200)}`)
    }
    const ends = (await talk.ofType('run-finished')).map(({ runId }) => runId)
    if (new Set(ends).size !== ends.length) stops.doubledEnds += 1
    stops.cancels += 1
  }
}

/** Resolves after so long. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
