import { type Entry, overview } from '@holdfast/conversation'
import { followTurn } from '@holdfast/engine'
import { systemClock } from '@holdfast/engine/system'
import { of } from '../../tests/states/evidence.ts'
import { callProblems, ledgerProblems, runProblems } from '../../tests/states/log-problems.ts'
import { until } from '../../tests/states/until.ts'
import { epochMs } from './epoch-clock.ts'
import { isGroupGone } from './group-gone.ts'
import { type AskedBy, wordsOf } from './moment-script.ts'
import { type OpenedEngine, OWNER_ID } from './open-engine.ts'
import type { ProviderChild } from './provider-child.ts'

/** What one stop came to. Times in milliseconds from the moment of the stop. */
export interface StoppedMoment {
  /** What was going on. */
  readonly state: string
  readonly acknowledgedMs: number
  /** When the provider saw each open connection closed. */
  readonly closedMs: readonly number[]
  /** When all process groups were seen gone; null where none ran. */
  readonly groupsGoneMs: number | null
  /** When the run had its end in the log. */
  readonly endedMs: number
  readonly problems: readonly string[]
}

/** What a moment works with. */
export interface MomentDeps {
  readonly opened: OpenedEngine
  readonly provider: ProviderChild
  /** The process groups of each conversation that run. */
  readonly groups: ReadonlyMap<string, ReadonlySet<number>>
}

/** How much later than the next turn's the provider may tell of a request, in milliseconds. */
const LATE_MS = 2_000

const person = { type: 'person', userId: OWNER_ID } as const

/** Starts a turn in a conversation of its own, stops it after `afterMs`, goes on with a message, and looks what is left. */
export async function stopMoment(
  { opened, provider, groups }: MomentDeps,
  { number, afterMs }: { readonly number: number; readonly afterMs: number },
): Promise<StoppedMoment> {
  const { engine, store, bus } = opened
  const conversationId = engine.conversationIdFor(OWNER_ID, `create-${number}`)
  await engine.createConversation({
    commandId: `create-${number}`,
    actor: person,
    ownerId: OWNER_ID,
    title: null,
    modelId: null,
    settings: { instructions: 'You tend a workshop.', parameters: { thinkingBudgetTokens: 1_024 } },
  })
  const send = (asked: AskedBy) =>
    engine.sendMessage({
      commandId: `${asked.type}-${number}`,
      actor: person,
      conversationId,
      lane: 'turn',
      content: [{ type: 'text', text: wordsOf(asked) }],
    })

  const asked = await send({ type: 'moment', number })
  await new Promise((resolve) => setTimeout(resolve, afterMs))
  const running = [...(groups.get(conversationId) ?? [])]
  const ended = untilEnded(opened, conversationId)
  const stoppedAt = epochMs()
  const { accepted, runId } = await engine.stopRun({
    commandId: `stop-${number}`,
    actor: person,
    conversationId,
    runId: null,
    force: false,
  })
  const acknowledgedMs = epochMs() - stoppedAt
  const gone = untilGroupsGone(running, stoppedAt)
  const endedMs = accepted ? (await ended) - stoppedAt : 0
  const groupsGoneMs = await gone
  // A call whose intent was written before the stop may have started its group just after it.
  const left = [...(groups.get(conversationId) ?? [])].filter((groupId) => !isGroupGone(groupId))

  // What the stop found waiting is held and would be answered after the next message: a turn of its own, in the middle of which the log would be read.
  if (accepted && runId === null)
    await engine.removeInput({ commandId: `remove-${number}`, actor: person, conversationId, inputId: asked.inputId })
  const { inputId, seq } = await send({ type: 'go-on', number })
  const signal = AbortSignal.timeout(60_000)
  const end = await followTurn(
    { store, bus, clock: systemClock },
    { conversationId, inputId, admittedSeq: seq, signal },
  )
  const log = (await store.read({ conversationId, after: 0, limit: 1_000 })).entries
  const steps = of(log, 'step-started').length
  const over = () => provider.over.filter(({ asked }) => asked?.number === number && asked.type !== 'bare')
  // A request may have been stopped before it left; one that left is over when the next turn's has been for a while.
  await until(`the provider has told of the requests of moment ${number}`, () =>
    over().some(({ asked }) => asked?.type === 'go-on') ? true : null,
  )
  const patienceMs = epochMs() + LATE_MS
  await until(`the patience for moment ${number} is over`, () =>
    over().length >= steps || epochMs() > patienceMs ? true : null,
  )
  return {
    state: accepted ? stateAtStop(log) : 'over',
    acknowledgedMs,
    closedMs: over().flatMap(({ clientClosedMs }) => (clientClosedMs === null ? [] : [clientClosedMs - stoppedAt])),
    groupsGoneMs,
    endedMs,
    problems: [
      ...(end?.outcome === 'completed' ? [] : [`the next turn ended as ${end?.outcome}: ${end?.reason}`]),
      ...over().flatMap(({ problems }) => problems),
      ...left.map((groupId) => `process group ${groupId} still ran when the run had its end`),
      ...runProblems(log),
      ...callProblems(log),
      ...ledgerProblems(
        log,
        over().map(({ operation }) => ({ operation: operation ?? undefined })),
      ),
    ].map((problem) => `moment ${number}, stopped after ${afterMs.toFixed(1)} ms: ${problem}`),
  }
}

/** When the first run has its end; at once where the stop found none that had begun. */
function untilEnded({ bus }: OpenedEngine, conversationId: string): Promise<number> {
  return new Promise((resolve) => {
    const unsubscribe = bus.subscribe(conversationId, (message) => {
      if (message.type !== 'entries') return
      if (!message.entries.some(({ type }) => type === 'run-finished' || type === 'queue-held')) return
      unsubscribe()
      resolve(epochMs())
    })
  })
}

async function untilGroupsGone(running: readonly number[], stoppedAt: number): Promise<number | null> {
  if (running.length === 0) return null
  await until(`the process groups ${running.join()} are gone`, () => (running.every(isGroupGone) ? true : null))
  return epochMs() - stoppedAt
}

/** What the log says was going on when the stop was written. */
function stateAtStop(log: readonly Entry[]): string {
  const at = log.findIndex(({ type }) => type === 'stop-requested')
  const run = overview.reduce(overview.initial, log.slice(0, at)).runState.exclusive
  if (at < 0 || !run) return 'admitted'
  if (run.phase !== 'streaming') return run.phase
  const cut = of(log.slice(at), 'step-finished')[0]
  return cut?.blocks.at(-1)?.type ?? 'connecting'
}
