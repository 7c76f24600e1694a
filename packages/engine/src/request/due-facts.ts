import { dueNote, headOfPath, notedFacts, noteLimitTokens, noteTokens, ratioOf, tokenRatios } from '@holdfast/context'
import { DEFAULT_AGENT_ID, type Entry, type NewEntry } from '@holdfast/conversation'
import type { EnginePorts } from '../api/ports.ts'
import { ENGINE } from '../log/engine-actor.ts'
import type { Gathered } from './gather.ts'

/**
 * The notes that a request lacks: the facts that are not what the model was told. They are written before it, so that it
 * tells them at its end and all before it stays as it was sent. [REQ5, REQ6]
 */
export async function dueFacts(asked: {
  readonly ports: Pick<EnginePorts, 'facts' | 'clock' | 'estimator'>
  readonly at: Gathered
  readonly stepCount: number
  readonly signal: AbortSignal
}): Promise<readonly NewEntry[]> {
  const { ports, at, stepCount, signal } = asked
  const { conversationId, state, path } = at
  const agentId = state.settings.agentId ?? null
  const told = notedFacts(path.entries, { head: headOfPath(path.entries, path.carried), agentId })
  const question = newestWords(path.entries)
  const tokensOf = (text: string): number => noteTokens(text, at.ratio)
  const now = ports.clock.now()
  const named = { providerId: at.model.port.providerId, modelId: at.model.modelId }
  const ratio = ratioOf(tokenRatios.initial, named, ports.estimator)
  // One source does not wait for another: they are asked at once and told in their order.
  const due = await Promise.all(
    (ports.facts ?? []).map(async ({ section, budgetTokens, isPerAgent, textNow }): Promise<NewEntry[]> => {
      const noted = told.get(section) ?? null
      const text = await textNow({ conversationId, state, now, stepCount, noted, question, tokensOf, signal })
      const limitTokens = noteLimitTokens(section, at.limits)
      const note = dueNote({ section, text, budgetTokens }, { noted, limitTokens, ratio })
      if (note === null) return []
      const only = isPerAgent ? { agentId: agentId ?? DEFAULT_AGENT_ID } : {}
      return [{ type: 'context-noted', actor: ENGINE, section, text: note, ...only }]
    }),
  )
  return due.flat()
}

function newestWords(entries: readonly Entry[]): string {
  const last = entries.findLast((entry) => entry.type === 'user-message-sent')
  return (last?.content ?? []).flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}
