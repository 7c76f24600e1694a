import { contextUse, heldTokens, messagesOnly } from '@holdfast/context'
import { type Entry, type EntryOf, entriesBefore } from '@holdfast/conversation'
import type { ContextReport } from '../api/context-engine.ts'
import type { EnginePorts, ModelChoice } from '../api/ports.ts'
import type { LiveLog } from '../log/live-log.ts'

const PAGE = 500

/**
 * How much an external agent holds. It builds its requests itself, so that nothing that is built here says it: what counts
 * is the largest request of its last turn that the gateway has passed on. Nothing is known where it asks past the gateway,
 * before its first request, and after its session has ended. [AGENT39]
 */
export async function agentContext(
  { ports, log }: { readonly ports: Pick<EnginePorts, 'models'>; readonly log: LiveLog },
  { modelId }: ModelChoice,
): Promise<ContextReport> {
  const largest = await largestRequest(log, modelId)
  const usedTokens = largest === null ? 0 : heldTokens(largest)
  const asked = ports.models().find((choice) => choice.modelId === largest?.modelId)
  const windowTokens = asked?.facts.contextWindowTokens ?? null
  const use = contextUse({ usedTokens, measured: largest?.measured ?? false }, { windowTokens, reservedTokens: 0 })
  return { ...use, heldBy: 'agent', breakdown: messagesOnly(usedTokens), modelId, thinkingLeftOutSeqs: [] }
}

/** Of the last turn in which the agent asked anything; null where its session is not there any more, or never asked. */
async function largestRequest(log: LiveLog, agentModelId: string): Promise<EntryOf<'usage-recorded'> | null> {
  const { conversationId } = log
  const before = log.overview().head + 1
  /** Of the turn that is being read. */
  let largest: EntryOf<'usage-recorded'> | null = null
  for await (const { entries } of entriesBefore(log, { conversationId, before, pageEntries: PAGE })) {
    for (const entry of entries.toReversed()) {
      if (entry.type === 'agent-detached' && largest === null) return null
      if (isPassedOn(entry) && (largest === null || heldTokens(entry) > heldTokens(largest))) largest = entry
      if (entry.type === 'run-started' && entry.runId === largest?.runId) return largest
      // Another model, or another agent, has answered since.
      if (entry.type === 'step-started' && entry.purpose === 'turn' && entry.modelId !== agentModelId) return null
    }
  }
  return null
}

function isPassedOn(entry: Entry): entry is Entry & EntryOf<'usage-recorded'> {
  return entry.type === 'usage-recorded' && entry.purpose === 'gateway' && entry.outcome !== 'failed' && !entry.carried
}
