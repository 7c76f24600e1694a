import type { Entry } from '@holdfast/conversation'
import { type EraseEntries, RunActiveError } from './conversation-engine.ts'
import { UnknownConversationError } from './engine.ts'
import type { Host } from './hosts.ts'
import { nextInput } from './next-input.ts'
import { type EnginePorts, LIMITS } from './ports.ts'

/** Deletes a conversation; what it cost stays, without content. [LOG9] */
export async function deleteConversation(ports: EnginePorts, host: Host): Promise<void> {
  await whileQuiet(ports, host, () => ports.store.deleteConversation(host.log.conversationId))
}

/** Replaces what entries say, and what else holds the same words, by tombstones. [LOG9] */
export async function eraseEntries(ports: EnginePorts, host: Host, erasure: EraseEntries): Promise<readonly Entry[]> {
  return whileQuiet(ports, host, () => ports.store.erase({ ...erasure, at: ports.clock.now() }))
}

/**
 * Works on a log while nobody else does: it holds the lease meanwhile.
 *
 * @throws {RunActiveError} when something runs or is about to, here or in another process.
 */
async function whileQuiet<Result>(
  { store, clock, holder }: EnginePorts,
  { log, working }: Host,
  work: () => Promise<Result>,
): Promise<Result> {
  const { conversationId } = log
  await log.refresh()
  const state = log.overview()
  if (state.head === 0) throw new UnknownConversationError(conversationId)
  const { exclusive, side } = state.runState
  const run = exclusive ?? side[0] ?? null
  if (run || working || nextInput(state, clock.now())) throw new RunActiveError(conversationId, run?.runId ?? null)
  const lease = await store.acquireLease({ conversationId, holder, ttlMs: LIMITS.leaseTtlMs })
  if (!lease) throw new RunActiveError(conversationId, null)
  try {
    return await work()
  } finally {
    await store.releaseLease(lease)
  }
}
