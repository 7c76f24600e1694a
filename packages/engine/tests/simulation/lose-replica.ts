import { isParked } from '@holdfast/conversation'
import type { Engine } from '../../src/api/engine.ts'
import { OWNER, type Replica } from './parts/replica.ts'
import type { Turn } from './parts/turn.ts'
import type { Actors, Loss } from './people/actors.ts'
import type { ConversationWatch } from './rules/conversation-watch.ts'
import type { World } from './world.ts'

/** What another replica has after this long, in milliseconds: all that a lost one worked on. [SCALE3] */
const TAKEN_OVER_MS = 5_000

/** What waits behind an answer begins elsewhere after a beat of the others; in milliseconds. [SCALE6] */
const HANDED_OVER_MS = 1_500

/** Things that happen between the first message and the loss, at most. */
const MOST_STEPS_BEFORE = 250

/** The replicas are sure of each other after so long, in milliseconds. */
const CALM_MS = 5_000

const MOST_TURNS = 20_000

/** A run that was open at a replica when that was lost. */
interface OpenWork {
  readonly watch: ConversationWatch
  readonly runId: string | null
}

/**
 * Lets people write to all conversations, takes one replica away in the middle of it, and measures how long the others need:
 * nothing else fails meanwhile, so that the time is theirs. [SCALE3, SCALE6]
 */
export async function loseReplica(world: World, actors: Actors, turn: Turn): Promise<void> {
  const { chance, scheduler } = world
  world.isRough = false
  world.storeTrouble = 0
  // One that drains is gone when it has done so: another takes its place before anything is lost.
  do {
    await turn(() => actors.mend())
    if (!actors.isShort()) await drive(world, turn, CALM_MS)
  } while (world.violations.length === 0 && (actors.isShort() || actors.living().some(({ isClosing }) => isClosing)))
  // What models and tools do now takes its time.
  world.isRough = true
  for (const watch of world.watches)
    for (let count = 0; count < 2; count++) await turn(() => actors.send(messageTo(world, watch)))
  for (let steps = chance.below(MOST_STEPS_BEFORE); steps > 0; steps--)
    await turn(() => scheduler.runOne() ?? (scheduler.passToNext() ? 'time passes' : null))
  world.isRough = false
  const lost = ownerOfMost(world, actors)
  if (world.violations.length > 0 || !lost) return
  const loss = chance.pick(['kill', 'pause', 'partition', 'drain'] as const)
  const work = workOf(world, lost)
  await turn(() => actors.lose(lost, loss))
  if (loss === 'drain') await seeHandOver(world, turn)
  else if (loss === 'pause' && chance.happens(0.5)) await seeReturn(world, actors, turn, { lost, work })
  else await seeTakeOver(world, turn, { lost, loss, work })
}

/** The living replica that holds most leases. */
function ownerOfMost(world: World, actors: Actors): Replica | undefined {
  return actors
    .living()
    .filter(({ isClosing }) => !isClosing)
    .toSorted((a, b) => workOf(world, b).length - workOf(world, a).length)[0]
}

function workOf({ watches, machine }: World, { process }: Replica): readonly OpenWork[] {
  return watches.flatMap((watch) => {
    const found = machine().durable.lease(watch.conversationId)
    if (!found || found.released || found.lease.holder !== process.name) return []
    const run = watch.state().runState.exclusive
    return [{ watch, runId: run && !isParked(run) ? run.runId : null }]
  })
}

/** Everything of a replica that is gone belongs to others in time, what it ran has ended, and what waits has begun. */
async function seeTakeOver(
  world: World,
  turn: Turn,
  { lost, loss, work }: { readonly lost: Replica; readonly loss: Loss; readonly work: readonly OpenWork[] },
): Promise<void> {
  await drive(world, turn, TAKEN_OVER_MS)
  const after = `${TAKEN_OVER_MS} ms after the ${loss} of ${lost.process.name}`
  for (const { watch, runId } of work) {
    const { conversationId } = watch
    const found = world.machine().durable.lease(conversationId)
    if (found && !found.released && found.lease.holder === lost.process.name)
      world.violate('SCALE3', `Nobody has taken ${conversationId} ${after}`)
    const { exclusive } = watch.state().runState
    // One that asked a person as its replica was lost stays open for the answer.
    if (runId !== null && exclusive?.runId === runId && !isParked(exclusive))
      world.violate('SCALE3', `Run ${runId} of ${conversationId} has no end ${after}`)
  }
  for (const watch of world.watches.filter((other) => isDue(other)))
    world.violate('SCALE3', `Nobody answers what waits in ${watch.conversationId} ${after}`)
}

/**
 * The replica comes back when another has taken what it works on and has not written a word: from its beats alone it knows
 * that it is not the owner any more. [SCALE5]
 */
async function seeReturn(
  world: World,
  actors: Actors,
  turn: Turn,
  { lost, work }: { readonly lost: Replica; readonly work: readonly OpenWork[] },
): Promise<void> {
  const { scheduler } = world
  const open = work.filter(({ runId }) => runId !== null)
  const takers = (): readonly string[] =>
    open.flatMap(({ watch: { conversationId } }) => world.machine().durable.lease(conversationId)?.lease.holder ?? [])
  const endMs = scheduler.nowMs() + TAKEN_OVER_MS
  while (scheduler.nowMs() < endMs && takers().every((holder) => holder === lost.process.name))
    await turn(() => scheduler.runOne() ?? (scheduler.passToNext() ? 'time passes' : null))
  for (const { process } of actors.living()) process.state = process === lost.process ? 'running' : 'paused'
  await drive(world, turn, TAKEN_OVER_MS / 2)
}

/** What waits behind the answers of a replica that drains begins elsewhere, while that one still works. */
async function seeHandOver(world: World, turn: Turn): Promise<void> {
  const { nowMs } = world.scheduler
  const dueSince = new Map<ConversationWatch, number>()
  await drive(world, turn, TAKEN_OVER_MS, () => {
    for (const watch of world.watches) {
      if (!isDue(watch)) dueSince.delete(watch)
      else if (!dueSince.has(watch)) dueSince.set(watch, nowMs())
    }
    for (const [{ conversationId }, since] of dueSince)
      if (nowMs() - since > HANDED_OVER_MS) {
        world.violate('SCALE6', `What waits in ${conversationId} is not handed over after ${nowMs() - since} ms`)
        return
      }
  })
}

/** Whether an input waits for nothing but a replica. */
function isDue(watch: ConversationWatch): boolean {
  const { runState, queue, archived } = watch.state()
  if (runState.exclusive !== null || archived || watch.queue.isHeld()) return false
  const sentAfterStop = queue.inputs.filter(({ afterStop }) => afterStop)
  return (sentAfterStop.length > 0 ? sentAfterStop : queue.inputs).some(({ lockedBy }) => lockedBy === null)
}

/** Lets so many milliseconds pass; whatever is ready happens before time goes on. */
async function drive(world: World, turn: Turn, ms: number, look = (): void => {}): Promise<void> {
  const { scheduler, violations } = world
  const endMs = scheduler.nowMs() + ms
  for (let count = 0; count < MOST_TURNS && violations.length === 0; count++) {
    const isOver = scheduler.nowMs() >= endMs
    const went = await turn(() => scheduler.runOne() ?? (!isOver && scheduler.passToNext() ? 'time passes' : null))
    look()
    if (!went && isOver) return
    if (!went) scheduler.pass(100)
  }
}

function messageTo(world: World, { conversationId }: ConversationWatch) {
  const commandId = `command_${world.number()}`
  const base = { commandId, conversationId, actor: { type: 'person', userId: OWNER } as const }
  return {
    commandId,
    conversationId,
    label: 'writes',
    leaves: 'input-admitted' as const,
    answer: null,
    decision: null,
    send: (engine: Engine) =>
      engine.sendMessage({ ...base, lane: 'turn', content: [{ type: 'text', text: `Message ${commandId}` }] }),
  }
}
