import type { OpenCall } from '@holdfast/conversation'
import type { AnswerCalls } from '../../../src/api/client-result.ts'
import type { Chance } from '../parts/chance.ts'
import { CLIENT_TOOL, clientWords } from '../parts/simulated-tools.ts'
import type { ConversationWatch } from '../rules/conversation-watch.ts'

/** What a client sends for calls. */
export type ClientAnswer = Pick<AnswerCalls, 'results' | 'others'>

/** The calls that a client has and has not answered. */
export function callsAtClient(watch: ConversationWatch): readonly OpenCall[] {
  return (watch.state().runState.exclusive?.openCalls ?? []).filter(({ handedOverAt }) => handedOverAt !== null)
}

/**
 * Makes up what a client sends: for some or all of the calls that it has, now and then for one that is over, twice for the
 * same one, or for one that nobody made; null where no call was ever handed over.
 */
export function clientAnswer(chance: Chance, watch: ConversationWatch, commandId: string): ClientAnswer | null {
  const open = callsAtClient(watch).map(({ callId }) => callId)
  const ever = watch.entries.flatMap((entry) =>
    entry.type === 'tool-call-started' && entry.name === CLIENT_TOOL ? [entry.callId] : [],
  )
  if (ever.length === 0) return null
  const named = chance.weighted<() => readonly string[]>([
    [() => open, 50],
    [() => open.filter(() => chance.happens(0.5)), 25],
    [() => [...open, ...open.slice(0, 1)], 5],
    [() => [chance.pick(ever)], 15],
    [() => ['call_nobody_made'], 5],
  ])()
  const results = named.map((callId) => ({
    callId,
    text: `${clientWords(commandId, callId)}${chance.happens(0.05) ? ' much'.repeat(12_000) : ''}`,
    isError: chance.happens(0.2),
    images: [],
  }))
  return { results, others: chance.happens(0.15) ? 'end' : 'leave' }
}
