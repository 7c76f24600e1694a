import type { ToolRegistry } from '@holdfast/tool'
import type { Engine } from '../api/engine.ts'
import type { LiveBus } from '../api/live-bus.ts'
import type { AskedCall } from '../api/ports.ts'

/** What asks the person of a registry, and what is told of it. */
export interface RegistryAsking {
  readonly ask: NonNullable<ToolRegistry['ask']>
  readonly bus: LiveBus
  readonly answerPermission: Engine['answerPermission']
  /** Fires when the engine closes: nobody is asked any more, and what is open stays so. */
  readonly signal: AbortSignal
}

/**
 * Asks the person of a registry about a call and writes the answer down. A question that is settled otherwise ends
 * first: by a stop, or by an answer from elsewhere. [PERM3, PERM4, STOP6]
 */
export async function answerByRegistry(
  { ask, bus, answerPermission, signal }: RegistryAsking,
  { conversationId, requestId, userId, call, decision }: AskedCall,
): Promise<void> {
  const settled = new AbortController()
  const unsubscribe = bus.subscribe(conversationId, (message) => {
    if (message.type !== 'entries') return
    if (message.entries.some((entry) => entry.type === 'permission-settled' && entry.requestId === requestId))
      settled.abort()
  })
  try {
    const over = AbortSignal.any([signal, settled.signal])
    const answer = await answerTo(() => ask({ call, decision }, { signal: over }))
    if (over.aborted) return
    await answerPermission({
      commandId: `ask:${requestId}`,
      actor: { type: 'person', userId },
      conversationId,
      requestId,
      scope: 'call',
      ...answer,
    })
  } finally {
    unsubscribe()
  }
}

type Answer = { readonly decision: 'allow' } | { readonly decision: 'deny'; readonly reason?: string }

async function answerTo(ask: () => Promise<'allowed' | 'denied'>): Promise<Answer> {
  try {
    return { decision: (await ask()) === 'allowed' ? 'allow' : 'deny' }
  } catch (error) {
    // Without an answer there is no yes, whatever went wrong.
    const why = error instanceof Error ? error.message : String(error)
    return { decision: 'deny', reason: `The permission could not be decided: ${why.slice(0, 300)}` }
  }
}
