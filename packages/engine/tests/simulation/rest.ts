import { isParked } from '@holdfast/conversation'
import type { Engine } from '../../src/api/engine.ts'
import { LIMITS } from '../../src/api/ports.ts'
import { OWNER } from './parts/replica.ts'
import { clientWords } from './parts/simulated-tools.ts'
import type { Turn } from './parts/turn.ts'
import type { Actors } from './people/actors.ts'
import { callsAtClient } from './people/client-people.ts'
import type { ConversationWatch } from './rules/conversation-watch.ts'
import type { World } from './world.ts'

/** A world that is not at rest after so many steps without any fault never will be. */
const MOST_STEPS = 20_000

/** How long a person waits for an answer before acting again, in milliseconds. */
const PATIENCE_MS = 1_000

/** What was sent before the faults ended has come after this long, also from a replica that was paused; in milliseconds. */
const ON_THE_WAY_MS = 20_000

/** How far the clocks of two processes may be from each other. */
const MOST_CLOCK_JUMP_MS = { 'by-renewal': 80_000, 'by-beats': 300_000 }

/** What runs when nothing happens: each replica looks for leases that ran out, and may beat. */
const TIMERS_AT_REST = { 'by-renewal': 1, 'by-beats': 2 }

/**
 * Ends all faults, lets people answer what waits for them, and sees that everything comes to its end: nothing runs,
 * nothing waits for ever, nothing is left over. [RUN1, RUN4, RUN14]
 */
export async function comeToRest(world: World, actors: Actors, turn: Turn): Promise<void> {
  await turn(() => actors.mend())
  let answeredMs = Number.NEGATIVE_INFINITY
  let restMs: number | null = null
  for (let step = 0; step < MOST_STEPS; step++) {
    if (world.violations.length > 0) return
    if (await turn(() => world.scheduler.runOne())) continue
    const open = world.watches.filter((watch) => !isAtRest(watch))
    if (open.length > 0) restMs = null
    else {
      restMs ??= world.scheduler.nowMs()
      const isOver = world.scheduler.nowMs() - restMs >= ON_THE_WAY_MS
      if (isOver || !(await turn(() => (world.scheduler.passToNext() ? 'time passes' : null))))
        return atRest(world, actors, turn)
      continue
    }
    const asked = world.watches.find((watch) => waitsForPerson(watch) && !world.subAgents.worksForNobody(watch))
    const isPatient = world.scheduler.nowMs() - answeredMs < PATIENCE_MS
    if (asked && !isPatient) {
      answeredMs = world.scheduler.nowMs()
      await turn(() => actors.send(answerTo(world, asked)))
    } else if (actors.isShort()) await turn(() => actors.mend())
    else await turn(() => (world.scheduler.passToNext() ? 'time passes' : null))
  }
  for (const watch of world.watches.filter((other) => !isAtRest(other))) {
    const { runState, queue } = watch.state()
    const phase = runState.exclusive?.phase ?? 'none'
    const last = watch.entries.slice(-8).map(({ seq, type }) => `${seq} ${type}`)
    const waiting = queue.inputs.map(({ inputId }) => inputId).join(', ')
    world.violate(
      'RUN4',
      `${watch.conversationId} does not come to rest: run ${phase}, waiting: ${waiting || 'nothing'}; ${last.join(', ')}`,
    )
  }
}

function isAtRest(watch: ConversationWatch): boolean {
  const { runState } = watch.state()
  return runState.exclusive === null && runState.side.length === 0 && watch.queue.waiting().length === 0
}

/** Whether only a person can bring the conversation on: a run that is parked, or a queue that is held. */
function waitsForPerson(watch: ConversationWatch): boolean {
  const { exclusive } = watch.state().runState
  return exclusive ? isParked(exclusive) : watch.queue.isHeld() && watch.queue.waiting().length > 0
}

function answerTo(world: World, watch: ConversationWatch) {
  const { conversationId } = watch
  const commandId = `command_${world.number()}`
  const base = { commandId, conversationId, actor: { type: 'person', userId: OWNER } as const }
  const about = { commandId, conversationId, leaves: null, answer: null, decision: null }
  const requestId = watch.permissions.waiting()[0]?.requestId
  const { exclusive } = watch.state().runState
  const atClient = callsAtClient(watch)
  if (atClient.length > 0) {
    const results = atClient.map(({ callId }) => {
      return { callId, text: clientWords(commandId, callId), isError: false, images: [] }
    })
    return {
      ...about,
      label: 'answers as a client',
      send: (engine: Engine) => engine.answerCalls({ ...base, results, others: 'leave' }),
    }
  }
  if (!exclusive || requestId === undefined)
    return { ...about, label: 'releases the queue', send: (engine: Engine) => engine.releaseQueue(base) }
  const decision = world.chance.pick(['allow', 'deny'] as const)
  return {
    ...about,
    label: `answers ${decision}`,
    send: (engine: Engine) => engine.answerPermission({ ...base, requestId, decision, scope: 'call' }),
  }
}

async function atRest(world: World, actors: Actors, turn: Turn): Promise<void> {
  const { scheduler, watches } = world
  const restAt = scheduler.nowMs() + LIMITS.inputLockMs + MOST_CLOCK_JUMP_MS[world.parts.leases]
  for (let step = 0; step < MOST_STEPS && scheduler.nowMs() < restAt; step++)
    await turn(() => scheduler.runOne() ?? (scheduler.passToNext() ? 'time passes' : null))
  if (scheduler.nowMs() < restAt) world.violate('RUN14', 'Something goes on and on while nothing happens')
  await settle(world, turn)
  for (const watch of watches) {
    watch.whenQuiet()
    watch.reread(world.machine().durable)
  }
  for (const { conversationId } of watches) {
    const drafts = await world.machine().store.readDrafts(conversationId)
    for (const { stepId } of drafts)
      world.violate('RUN3', `Nothing happens in ${conversationId}, and the draft of step ${stepId} is kept`)
  }
  for (const { conversationId } of world.machine().durable.heldLeases(scheduler.clockOf(world.people).now()))
    world.violate('RUN4', `Nothing happens in ${conversationId}, and its lease is held`)
  for (const { process } of actors.living()) {
    const { timers } = scheduler.waitingCount(process)
    if (timers.length > TIMERS_AT_REST[world.parts.leases])
      world.violate('RUN14', `${process.name} is at rest and waits for timers due in ${timers.join(', ')} ms`)
  }
  for (const reader of actors.readers()) {
    void reader.heal()
    await settle(world, turn)
    reader.compare(world.watchOf(reader.conversationId).state())
  }
  for (const replica of actors.living()) actors.shutDown(replica)
  await settle(world, turn)
  for (const { process } of actors.living()) world.violate('RUN14', `${process.name} does not shut down`)
}

const MOST_STEPS_TO_SETTLE = 3_000

/** Lets everything happen that is ready, and what little time it takes. */
async function settle(world: World, turn: Turn): Promise<void> {
  let steps = 0
  for (let quiet = 0; quiet < 5; ) {
    if (steps++ < MOST_STEPS_TO_SETTLE && (await turn(() => world.scheduler.runOne()))) continue
    world.scheduler.pass(10)
    quiet += 1
  }
}
