import { type Entry, type EntryOf, type Overview, overview } from '@holdfast/conversation'
import type { LiveMessage } from '../../../src/api/live-bus.ts'
import type { ModelChoice } from '../../../src/api/ports.ts'
import type { DurableLook } from '../parts/simulated-machine.ts'
import type { ToolRun } from '../parts/simulated-tools.ts'
import { createAsideRules } from './aside-rules.ts'
import { type CanvasRules, createCanvasRules } from './canvas-rules.ts'
import { createClientRules } from './client-rules.ts'
import { createCommandRules } from './command-rules.ts'
import { createDraftRules } from './draft-rules.ts'
import { createPathRules, type PathRules } from './path-rules.ts'
import { createPermissionRules, type PermissionRules } from './permission-rules.ts'
import { createQueueRules, type QueueRules } from './queue-rules.ts'
import { createRequestRules, type FormatChecks, type RequestRules } from './request-rules.ts'
import { createRunRules, type RunRules, sorted } from './run-rules.ts'
import type { Violate } from './violation.ts'

/** Everything that is checked about one conversation, from outside, by what is durable. */
export interface ConversationWatch {
  readonly conversationId: string
  readonly requests: RequestRules
  readonly permissions: PermissionRules
  readonly queue: QueueRules
  readonly paths: PathRules
  readonly canvas: CanvasRules
  readonly entries: readonly Entry[]
  state(): Overview
  /** Reads what has become durable since, and checks every entry. */
  look(durable: DurableLook): void
  /** A replica has published something. */
  onPublished(replica: string, message: LiveMessage): void
  /** A tool began to run in a replica. */
  onToolRun(replica: string, run: ToolRun): void
  /** Whether a replica has folded the request to stop this run. */
  knowsStop(replica: string, runId: string): boolean
  /** Compares the whole log with what was seen of it. */
  reread(durable: DurableLook): void
  whenQuiet(): void
}

/** Makes the watch of one conversation. */
export function createConversationWatch(parts: {
  readonly conversationId: string
  readonly violate: Violate
  readonly formats: FormatChecks
  readonly models: () => readonly ModelChoice[]
  readonly nowMs: () => number
}): ConversationWatch {
  const { conversationId } = parts
  const violate: Violate = (rule, text) => parts.violate(rule, `${conversationId}: ${text}`)
  const entries: Entry[] = []
  const toolRuns = new Set<string>()
  const runs: RunRules = createRunRules({
    violate,
    nowMs: parts.nowMs,
    hasRun: (stepId, callId) => toolRuns.has(stepId + callId),
  })
  const queue = createQueueRules(violate)
  const permissions = createPermissionRules(violate)
  const commands = createCommandRules(violate)
  const drafts = createDraftRules(violate)
  const asides = createAsideRules(violate)
  const clients = createClientRules(violate)
  const paths = createPathRules(violate)
  const canvas = createCanvasRules({ violate, mayRun: runs.mayRun })
  const requests = createRequestRules({
    ...parts,
    violate,
    entries,
    wordsBefore: paths.wordsBefore,
    canvasVersionAt: canvas.versionAt,
  })
  const knownStops = new Set<string>()
  let state = overview.initial

  function take(entry: Entry, next: Entry | undefined): void {
    if (entry.seq !== entries.length + 1)
      violate('LOG1', `Entry ${entry.seq} stands at place ${entries.length + 1} of the log`)
    entries.push(entry)
    runs.take(entry)
    queue.take(entry, next)
    permissions.take(entry, state)
    commands.take(entry)
    drafts.take(entry)
    asides.take(entry)
    clients.take(entry)
    paths.take(entry)
    requests.take(entry)
    const before = state
    state = overview.reduce(state, [entry])
    canvas.take(entry, state)
    ledgerGrows(before, entry)
  }

  function ledgerGrows(before: Overview, { seq }: Entry): void {
    for (const key of ['inputTokens', 'outputTokens', 'costUsd'] as const)
      if (state.ledger.own[key] < before.ledger.own[key]) violate('COST1', `The ledger's ${key} fell at ${seq}`)
  }

  return {
    conversationId,
    requests,
    permissions,
    queue,
    paths,
    canvas,
    entries,
    state: () => state,
    look(durable) {
      const head = durable.head(conversationId)
      if (head < entries.length) violate('LOG1', `The log ended at ${entries.length} and ends at ${head} now`)
      if (head <= entries.length) return
      const fresh = durable.entries(conversationId, entries.length)
      for (const [index, entry] of fresh.entries()) take(entry, fresh[index + 1])
    },
    onPublished(replica, message) {
      if (message.type === 'delta') drafts.onDelta(replica, message.delta)
      if (message.type === 'kept-deltas') drafts.onKept(message.deltas)
      if (message.type !== 'entries') return
      for (const entry of message.entries) {
        const known = entries[entry.seq - 1]
        if (!known || !isSame(known, entry))
          violate('SYNC1', `Replica ${replica} published ${entry.type} at ${entry.seq}, which is not durable`)
        if (entry.type === 'stop-requested') knownStops.add(`${replica} ${entry.runId}`)
      }
      drafts.onFolded(replica, message.entries)
    },
    onToolRun(replica, { callId, name, input }) {
      const intent = entries.findLast(
        (entry): entry is EntryOf<'tool-call-started'> => entry.type === 'tool-call-started' && entry.callId === callId,
      )
      // A replica that was paused may begin what another has settled as unknown meanwhile.
      if (!intent || !runs.mayRun(callId)) {
        violate('TOOL6', `${name} ran for ${callId} without a durable intent`)
        return
      }
      if (!isSame(intent.input, input) || intent.name !== name)
        violate('PERM4', `${name} ran for ${callId} with other arguments than were allowed`)
      if (toolRuns.has(intent.stepId + callId)) violate('TOOL6', `${name} ran twice for ${callId}`)
      toolRuns.add(intent.stepId + callId)
      if (knownStops.has(`${replica} ${intent.runId}`))
        violate('STOP2', `${name} ran for ${callId} after its replica knew of the stop`)
    },
    knowsStop: (replica, runId) => knownStops.has(`${replica} ${runId}`),
    reread(durable) {
      const now = durable.entries(conversationId, 0)
      for (const [index, entry] of entries.entries())
        if (!isSame(now[index], entry)) violate('LOG1', `Entry ${entry.seq} is not what it was`)
    },
    whenQuiet() {
      runs.whenQuiet()
      queue.whenQuiet()
      canvas.whenQuiet()
    },
  }
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(sorted(a)) === JSON.stringify(sorted(b))
}
