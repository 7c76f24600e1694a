import { type Lease, sealDraft } from '@holdfast/conversation'
import { admit, conversationIdOf, create, requestStop } from './commands.ts'
import { createDraftWriter } from './draft-writer.ts'
import type { Engine } from './engine.ts'
import { createHosts, type Host } from './hosts.ts'
import { type LiveLog, openLiveLog } from './live-log.ts'
import { type EnginePorts, LIMITS } from './ports.ts'
import { closingEntries, type LeftOpen } from './recover.ts'
import { requestOf } from './request-of.ts'
import { type AbortReason, nextInput, runTurn } from './run-turn.ts'
import { usageRecord } from './usage.ts'

/** What is wrong that nobody asked about: a run that a lost store or a defect ended. */
export interface EngineOptions {
  readonly onFault: (fault: { readonly conversationId: string; readonly error: unknown }) => void
}

/** Makes the engine of one process. */
export function createEngine(ports: EnginePorts, options: EngineOptions): Engine {
  const { store, clock, ids } = ports
  const writer = createDraftWriter(store, clock)
  const hosts = createHosts((conversationId) => openLiveLog(ports, conversationId))
  const work = new Set<Promise<void>>()
  let cancelSweep = (): void => {}
  let closing = false

  /** Starts to work on what waits, unless that is being done. The caller is a user of the host. */
  function wake(host: Host): void {
    if (host.working || closing || !nextInput(host.log.overview())) return
    const { conversationId } = host.log
    host.working = true
    const release = hosts.retain(host)
    const working = workWhileOwner(host)
      .catch((error: unknown) => options.onFault({ conversationId, error }))
      .finally(() => {
        work.delete(working)
        host.working = false
        release()
      })
    work.add(working)
  }

  /** Answers inputs one after the other for as long as this process holds the lease. [RUN2] */
  async function workWhileOwner(host: Host): Promise<void> {
    const { conversationId } = host.log
    const lease = await store.acquireLease({ conversationId, holder: ports.holder, ttlMs: LIMITS.leaseTtlMs })
    if (!lease) return
    const endRenewal = renew(host, lease)
    let clean = false
    try {
      while (!closing && nextInput(host.log.overview())) await turn(host, lease.epoch)
      clean = true
    } finally {
      endRenewal()
      if (clean) await store.releaseLease(lease)
    }
  }

  async function turn(host: Host, epoch: number): Promise<void> {
    const run = { runId: ids.next('run'), abort: new AbortController() }
    host.run = run
    try {
      await runTurn({
        ports,
        log: host.log,
        writer,
        runId: run.runId,
        epoch,
        signal: run.abort.signal,
        onDraft: (draft) => {
          host.draft = draft
        },
      })
    } finally {
      host.run = null
      host.draft = null
    }
  }

  /** Holds the lease while the run lives; a lease that is lost ends the run here. [LOG10] */
  function renew(host: Host, lease: Lease): () => void {
    const { conversationId, holder } = lease
    let cancel = clock.after(LIMITS.leaseTtlMs / 3, renewNow)
    function renewNow(): void {
      store.acquireLease({ conversationId, holder, ttlMs: LIMITS.leaseTtlMs }).then(
        (renewed) => {
          if (renewed?.epoch === lease.epoch) cancel = clock.after(LIMITS.leaseTtlMs / 3, renewNow)
          else abort(host, 'interrupted')
        },
        () => {
          cancel = clock.after(LIMITS.leaseTtlMs / 3, renewNow)
        },
      )
    }
    return () => cancel()
  }

  function abort(host: Host, reason: AbortReason): void {
    host.run?.abort.abort(reason)
  }

  async function sweep(): Promise<void> {
    for (const lease of await store.expiredLeases(100)) await recoverOne(lease)
  }

  /** A run whose owner is gone is closed within a lease's time, by whoever looks first. */
  function scheduleSweep(): void {
    cancelSweep = clock.after(LIMITS.leaseTtlMs / 2, () => {
      const swept = sweep()
        .catch((error: unknown) => options.onFault({ conversationId: '', error }))
        .finally(() => {
          work.delete(swept)
          if (!closing) scheduleSweep()
        })
      work.add(swept)
    })
  }

  async function recoverOne(lease: Lease): Promise<void> {
    const { conversationId } = lease
    const taken = await store.acquireLease({ conversationId, holder: ports.holder, ttlMs: LIMITS.leaseTtlMs })
    if (!taken) return
    await hosts.use(conversationId, async (host) => {
      const openStep = host.log.overview().runState.exclusive?.openStep ?? null
      const left = await leftOpen(ports, host.log)
      await host.log.append({ epoch: taken.epoch, command: null, dropDraft: openStep?.stepId ?? null }, (state) =>
        closingEntries(state, left),
      )
      await store.releaseLease(taken)
      wake(host)
    })
  }

  return {
    async createConversation(command) {
      const conversationId = conversationIdOf(ports, command)
      await hosts.use(conversationId, ({ log }) => create(ports, log, command))
      return { conversationId }
    },

    sendMessage: (command) =>
      hosts.use(command.conversationId, async (host) => {
        const admitted = await admit(ports, host.log, command)
        wake(host)
        return { seq: admitted.seq, inputId: admitted.inputId }
      }),

    stopRun: (command) =>
      hosts.use(command.conversationId, async (host) => {
        const answer = await requestStop(ports, host.log, command)
        if (answer.runId !== null && host.run?.runId === answer.runId) abort(host, 'stopped')
        return answer
      }),

    openDraft: (conversationId) => hosts.find(conversationId)?.draft ?? null,

    async recover() {
      await sweep()
      scheduleSweep()
    },

    async close() {
      closing = true
      cancelSweep()
      for (const host of hosts.all()) abort(host, 'interrupted')
      while (work.size > 0) await Promise.all(work)
    },
  }
}

/** What a crash left of the open steps, and what their requests cost by estimate. */
async function leftOpen(ports: EnginePorts, { conversationId, overview }: LiveLog): Promise<LeftOpen> {
  const { store, models } = ports
  const request = await requestOf(store, { conversationId, state: overview(), modelId: '' })
  return {
    drafts: await store.readDrafts(conversationId),
    usageOf: ({ runId, purpose, stepId, providerId, modelId }, draft) =>
      usageRecord({
        runId,
        stepId,
        purpose,
        billed: { providerId, modelId, price: models.find((model) => model.modelId === modelId)?.price ?? 'unknown' },
        request,
        blocks: sealDraft(draft),
        usage: null,
        outcome: 'interrupted',
      }),
  }
}
