import type { Entry, Lease } from '@holdfast/conversation'
import { type EraseEntries, RunActiveError } from '../api/conversation-engine.ts'
import { type EnginePorts, LIMITS } from '../api/ports.ts'
import { UnknownConversationError } from '../api/unknown-conversation.ts'
import { subAgentsOf } from '../chosen/sub-agents.ts'
import type { Host, Hosts } from '../live/hosts.ts'
import { nextInput } from '../live/next-input.ts'
import type { LiveLog } from '../log/live-log.ts'
import { namedSeqs } from './erased-words.ts'

/**
 * Deletes a conversation and those of its sub-agents; what they cost stays, without content. Its host works no more, and
 * who follows it is told. A sub-agent's goes first: what is interrupted is done again by the same wish. [LOG9, AGENT3]
 *
 * @throws {RunActiveError} when something runs or is about to, in it or in one of those; it is still there then.
 */
export async function deleteConversation({ ports, hosts }: Deletion, host: Host): Promise<void> {
  const { conversationId } = host.log
  await whileQuiet(ports, host, async () => {
    for await (const childId of subAgentsOf(ports.store, conversationId))
      await hosts.use(childId, (child) => deleteConversation({ ports, hosts }, child))
    hosts.drop(conversationId)
    await ports.store.deleteConversation(conversationId, ports.clock.now())
    ports.bus.publish({ type: 'erased', conversationId })
    return { result: null, isOver: true }
  })
  host.askedRun?.begun.reject(new UnknownConversationError(conversationId))
  host.askedRun = null
}

/** What a deletion works with. */
interface Deletion {
  readonly ports: EnginePorts
  readonly hosts: Hosts
}

/** Replaces what entries say, and what else holds the same words, by tombstones; who follows the log is told to read it anew. [LOG9] */
export async function eraseEntries(
  { ports, hosts }: Deletion,
  host: Host,
  erasure: EraseEntries,
): Promise<readonly Entry[]> {
  const { conversationId, reason, actor } = erasure
  const tombstones = await whileQuiet(ports, host, async () => {
    const seqs = await namedSeqs(ports.store, erasure)
    const by = actor === undefined ? {} : { by: actor }
    // What cannot be read anew after an erasure is not kept either.
    hosts.drop(conversationId)
    const result = await ports.store.erase({ conversationId, seqs, reason, at: ports.clock.now(), ...by })
    await host.log.reopen()
    return { result, isOver: false }
  })
  ports.bus.publish({ type: 'erased', conversationId: erasure.conversationId })
  return tombstones
}

/**
 * Works on a log while nobody else does: it holds the lease meanwhile, and nothing starts here.
 *
 * @throws {RunActiveError} when something runs or is about to, here or in another process.
 */
async function whileQuiet<Result>(
  ports: EnginePorts,
  host: Host,
  work: () => Promise<{
    readonly result: Result
    /** Whether nothing ever starts here again. */
    readonly isOver: boolean
  }>,
): Promise<Result> {
  const { log } = host
  const { conversationId } = log
  const { store, clock, holder } = ports
  await log.refresh()
  const state = log.overview()
  if (state.head === 0) throw new UnknownConversationError(conversationId)
  const { exclusive, side } = state.runState
  const run = exclusive ?? side[0] ?? null
  if (run || host.working || host.askedRun || nextInput(state, clock.now()))
    throw new RunActiveError(conversationId, run?.runId ?? null)
  host.working = true
  let isOver = false
  try {
    const lease = await store.acquireLease({ conversationId, holder, ttlMs: LIMITS.leaseTtlMs })
    if (!lease) throw new RunActiveError(conversationId, null)
    try {
      const done = await work()
      isOver = done.isOver
      return done.result
    } finally {
      await giveBack(ports, log, { lease, isOver })
    }
  } finally {
    host.working = isOver
  }
}

/** What another wrote meanwhile was left to the holder: the lease stays then, and whoever asked for the work here begins it. [SCALE24] */
async function giveBack(
  { store, clock, isAlone }: EnginePorts,
  log: LiveLog,
  { lease: { conversationId, epoch }, isOver }: { readonly lease: Lease; readonly isOver: boolean },
): Promise<void> {
  for (;;) {
    const { head } = log.overview()
    if (await store.releaseLease({ conversationId, epoch, ...(isOver || isAlone ? {} : { head }) })) return
    await log.refresh()
    if (nextInput(log.overview(), clock.now())) return
  }
}
