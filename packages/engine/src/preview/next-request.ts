import { requestItems } from '@holdfast/context'
import type { InputPart } from '@holdfast/conversation'
import type { NextRequest } from '../api/context-engine.ts'
import type { EnginePorts } from '../api/ports.ts'
import { UnknownConversationError } from '../api/unknown-conversation.ts'
import { hasOpenCalls } from '../log/has-open-calls.ts'
import type { LiveLog } from '../log/live-log.ts'
import { priceOf } from '../request/request-price.ts'
import { composeNext, saidBy } from './compose-next.ts'
import { wireBodyOf } from './wire-body.ts'

/** The next request as it would be sent now, with words that a person would say; null where there is no model, or while calls are open. [C8] */
export async function nextRequest(
  ports: EnginePorts,
  log: LiveLog,
  content: readonly InputPart[],
): Promise<NextRequest | null> {
  const state = log.overview()
  if (state.head === 0) throw new UnknownConversationError(log.conversationId)
  const at = hasOpenCalls(state) ? null : await composeNext({ ports, log, said: saidBy(content) }, [])
  if (at === null) return null
  const { request, anchors, windowStartSeq, estimatedInputTokens, composed, path, model, ratio, composedFrom } = at
  const { items, leftOut } = requestItems(composed, {
    entries: path.entries,
    modelId: model.modelId,
    ratio,
    pinnedSeqs: composedFrom.pins,
    excludedSeqs: composedFrom.exclusions,
  })
  const { cache } = priceOf(at, ports.clock.now())
  const wireBody = await wireBodyOf(model.port, request)
  return { request, wireBody, anchors, windowStartSeq, estimatedInputTokens, items, leftOut, cache }
}
