import { type Clock, type Entry, type Replica, type ReplicaStore, StoreReadError } from '@holdfast/conversation'
import type { LiveMessage } from '@holdfast/engine'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { REPLICA_STATES, replicaState } from './replica-state.ts'

/** What a process has done, in numbers. No label holds what a person wrote, an id or a secret. [SEC4] */
export interface Metrics {
  /** Counts what the live bus carries: entries, runs, requests to models, tool calls. */
  onMessage(message: LiveMessage): void
  /** Counts an answered request; `route` is the pattern of its address. */
  onRequest(request: ServedRequest): void
  onSocket(change: 'opened' | 'closed'): void
  /** How many sockets are open now. [SCALE20] */
  openSocketCount(): number
  /** Says with each reading which replicas there are on the store, and how many conversations they work on. [SCALE7] */
  watchReplicas(replicas: Pick<ReplicaStore, 'listReplicas'>): void
  /** All of it in the text format of Prometheus. How many runs are open is what the engine works on at that moment. [SCALE46] */
  text(now: { readonly openRunCount: number }): Promise<{ readonly contentType: string; readonly text: string }>
}

/** A request that was answered. */
export interface ServedRequest {
  readonly method: string
  readonly route: string
  readonly status: number
  readonly durationMs: number
}

/** Bounds of the histograms, in seconds. */
const BUCKETS_S = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300]

/** Makes the metrics of one process; with `ofProcess` also those of Node.js: memory, processor time, event loop. */
export function createMetrics({ ofProcess, clock }: { readonly ofProcess: boolean; readonly clock: Clock }): Metrics {
  const register = new Registry()
  const registers = [register]
  if (ofProcess) collectDefaultMetrics({ register })
  const requests = new Counter({
    name: 'holdfast_http_requests_total',
    help: 'Requests answered over HTTP.',
    labelNames: ['method', 'route', 'status'],
    registers,
  })
  const requestSeconds = new Histogram({
    name: 'holdfast_http_request_duration_seconds',
    help: 'Time from a request to the end of its answer; live streams last as long as their readers stay.',
    labelNames: ['method', 'route'],
    buckets: BUCKETS_S,
    registers,
  })
  const sockets = new Gauge({ name: 'holdfast_sockets_open', help: 'Sockets that are open.', registers })
  const openRuns = new Gauge({ name: 'holdfast_runs_open', help: 'Runs that this server works on.', registers })
  const work = createWorkMetrics(registers, clock)
  let openSocketCount = 0

  return {
    onMessage(message) {
      switch (message.type) {
        case 'delta':
          work.onDelta(message.delta.stepId)
          return
        case 'entries':
          for (const entry of message.entries) work.onEntry(entry)
          return
        case 'grown':
        case 'kept-deltas':
        case 'erased':
        case 'write-failed':
        case 'progress':
          return
      }
    },
    onRequest({ method, route, status, durationMs }) {
      requests.inc({ method, route, status: String(status) })
      requestSeconds.observe({ method, route }, durationMs / 1_000)
    },
    onSocket(change) {
      openSocketCount += change === 'opened' ? 1 : -1
      sockets.set(openSocketCount)
    },
    openSocketCount: () => openSocketCount,
    watchReplicas: (replicas) => watchReplicas(registers, replicas),
    async text({ openRunCount }) {
      openRuns.set(openRunCount)
      return { contentType: register.contentType, text: await register.metrics() }
    },
  }
}

/** Figures of the whole database, the same at each replica. They are left out while it cannot be read. */
function watchReplicas(registers: Registry[], replicas: Pick<ReplicaStore, 'listReplicas'>): void {
  const gauge = (figure: {
    name: string
    help: string
    fill: (gauge: Gauge<'state'>, all: readonly Replica[]) => void
  }) => {
    const { name, help, fill } = figure
    const made: Gauge<'state'> = new Gauge({
      name,
      help,
      labelNames: ['state'],
      registers,
      async collect() {
        made.reset()
        const all = await listOrNone(replicas)
        if (all !== null) fill(made, all)
      },
    })
  }
  gauge({
    name: 'holdfast_replicas',
    help: 'Servers on the same database; those that went within the hour are gone.',
    fill(made, all) {
      for (const state of REPLICA_STATES) made.set({ state }, 0)
      for (const replica of all) made.inc({ state: replicaState(replica) })
    },
  })
  gauge({
    name: 'holdfast_conversations_held',
    help: 'Conversations that servers of the database work on; those of gone ones wait to be taken over.',
    fill(made, all) {
      for (const state of REPLICA_STATES) made.set({ state }, 0)
      for (const replica of all) made.inc({ state: replicaState(replica) }, replica.leaseCount)
    },
  })
}

async function listOrNone(replicas: Pick<ReplicaStore, 'listReplicas'>): Promise<readonly Replica[] | null> {
  try {
    return await replicas.listReplicas()
  } catch (error) {
    if (error instanceof StoreReadError) return null
    throw error
  }
}

/** What is known of a run or request that has not ended. */
interface Begun {
  readonly at: number
  readonly label: string
}

/** The end of one may be another server's: of so many begun ones the oldest are forgotten. [SCALE46] */
const MOST_BEGUN = 1_000

function remember(begun: Map<string, Begun>, id: string, what: Begun): void {
  begun.set(id, what)
  const [oldest] = begun.keys()
  if (begun.size > MOST_BEGUN && oldest !== undefined) begun.delete(oldest)
}

/** The figures that follow from the log. */
function createWorkMetrics(registers: Registry[], clock: Clock) {
  const count = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new Counter({ name: `holdfast_${name}`, help, labelNames, registers })
  const seconds = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new Histogram({ name: `holdfast_${name}`, help, labelNames, buckets: BUCKETS_S, registers })
  const entries = count('entries_total', 'Entries seen in logs, by kind.', ['type'])
  const deltas = count('deltas_total', 'Fragments of answers that were published.', [])
  const runs = count('runs_total', 'Runs that ended, by purpose and outcome.', ['purpose', 'outcome'])
  const runSeconds = seconds('run_duration_seconds', 'Time from the start of a run to its end.', ['purpose'])
  const asked = count('model_requests_total', 'Requests to models, by model and outcome.', ['model', 'outcome'])
  const tokens = count('model_tokens_total', 'Tokens, by model and kind.', ['model', 'kind'])
  const cost = count('model_cost_usd_total', 'Cost in US dollars, where the price is known.', ['model'])
  const firstDelta = seconds('model_first_delta_seconds', 'Time from a request to the first of its answer.', ['model'])
  const calls = count('tool_calls_total', 'Tool calls, by outcome.', ['outcome'])
  const callSeconds = seconds('tool_call_duration_seconds', 'How long tools ran.', ['outcome'])
  const openRuns = new Map<string, Begun>()
  const silentSteps = new Map<string, Begun>()

  function onEntry(entry: Entry): void {
    entries.inc({ type: entry.type })
    switch (entry.type) {
      case 'run-started':
        remember(openRuns, entry.runId, { at: entry.at, label: entry.purpose })
        return
      case 'run-finished': {
        const begun = openRuns.get(entry.runId)
        runs.inc({ purpose: begun?.label ?? 'unknown', outcome: entry.outcome })
        if (begun) runSeconds.observe({ purpose: begun.label }, (entry.at - begun.at) / 1_000)
        openRuns.delete(entry.runId)
        return
      }
      case 'step-started':
        remember(silentSteps, entry.stepId, { at: clock.monotonicMs(), label: entry.modelId })
        return
      case 'step-finished':
      case 'step-failed':
        silentSteps.delete(entry.stepId)
        return
      case 'usage-recorded':
        onUsage(entry)
        return
      case 'tool-call-settled':
        calls.inc({ outcome: entry.outcome })
        callSeconds.observe({ outcome: entry.outcome }, entry.durationMs / 1_000)
        return
      default:
        return
    }
  }

  function onUsage(entry: Extract<Entry, { type: 'usage-recorded' }>): void {
    if (entry.carried) return
    const model = entry.modelId
    asked.inc({ model, outcome: entry.outcome })
    tokens.inc({ model, kind: 'input' }, entry.inputTokens)
    tokens.inc({ model, kind: 'cache-read' }, entry.cacheReadTokens)
    tokens.inc({ model, kind: 'cache-creation' }, entry.cacheCreation5mTokens + entry.cacheCreation1hTokens)
    tokens.inc({ model, kind: 'output' }, entry.outputTokens)
    if (entry.costUsd !== null) cost.inc({ model }, entry.costUsd)
  }

  return {
    onEntry,
    onDelta(stepId: string): void {
      deltas.inc()
      const step = silentSteps.get(stepId)
      if (!step) return
      silentSteps.delete(stepId)
      firstDelta.observe({ model: step.label }, (clock.monotonicMs() - step.at) / 1_000)
    },
  }
}
