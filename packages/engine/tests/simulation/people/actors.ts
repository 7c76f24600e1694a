import type { OwnReplica } from '../../../src/process/own-replica.ts'
import { TIMES } from '../parts/beating-replica.ts'
import {
  isExpected,
  modelKinds,
  modelsOf,
  OWNER,
  type Replica,
  type SealThinking,
  startReplica,
} from '../parts/replica.ts'
import type { SimulatedProcess } from '../parts/scheduler.ts'
import { sha256 } from '../parts/sha256.ts'
import type { Turn } from '../parts/turn.ts'
import type { World } from '../world.ts'
import { deliver, nextCommand, type SentCommand } from './people.ts'
import { createReader, type Reader } from './reader.ts'

/** Everybody who does something in a world: people, replicas, and what breaks them. */
export interface Actors {
  /** Starts the replicas and creates the conversations, while nothing fails. */
  begin(turn: Turn): Promise<void>
  /** Somebody does something; says what. */
  person(): string
  /** Something breaks, or is mended; says what. */
  fault(): string
  /** The replicas that are not dead. */
  living(): readonly Replica[]
  readers(): readonly Reader[]
  /** Whether fewer replicas live than should: whatever watches over them starts another. */
  isShort(): boolean
  /** Wakes what is paused and starts what is missing. */
  mend(): string
  send(command: SentCommand): string
  /** Ends a replica as a signal does; says so. */
  shutDown(replica: Replica): string
  /** Takes a replica away; says so. */
  lose(replica: Replica, loss: Loss): string
}

/** How a replica is taken away. */
export type Loss = 'kill' | 'pause' | 'partition' | 'drain'

const CONVERSATIONS = 3
const MOST_STEPS_TO_BEGIN = 500

/** Makes the actors of a world. */
export function createActors(world: World, seal: SealThinking): Actors {
  const { chance, scheduler, people } = world
  const kinds = modelKinds(seal)
  const isBeating = world.parts.leases === 'by-beats'
  /** Two replicas share a store on a server of its own; one alone ends all leases when it starts. */
  const replicaCount = isBeating ? 3 : chance.happens(0.5) ? 2 : 1
  let replicas: Replica[] = []
  const commands: SentCommand[] = []
  let readers: Reader[] = []

  function living(): Replica[] {
    return replicas.filter(({ process }) => process.state !== 'dead')
  }

  function start(): Replica {
    const replica = startReplica(world, kinds, { endsLeases: replicaCount === 1 })
    replicas = [...living(), replica]
    return replica
  }

  function kill(process: SimulatedProcess): void {
    process.state = 'dead'
    scheduler.bury(process)
  }

  function killAll(): void {
    for (const { process } of living()) kill(process)
  }

  function send(command: SentCommand): string {
    const open = living().filter(({ isClosing }) => !isClosing)
    if (open.length === 0)
      return living().length < replicaCount ? `${start().process.name} starts` : 'nobody hears a person'
    const { engine, process } = chance.pick(open)
    void deliver(world, command, engine)
    return `${command.commandId} to ${process.name} in ${command.conversationId.slice(-4)}: ${command.label}`
  }

  function sendNew(): string {
    const asking = world.watches.filter(({ permissions }) => permissions.waiting().length > 0)
    const command = nextCommand(world, chance.pick(asking.length > 0 && chance.happens(0.5) ? asking : world.watches))
    if (!command) return 'a person thinks'
    commands.push(command)
    return send(command)
  }

  function sendAgain(): string {
    if (commands.length === 0) return 'a person waits'
    const unanswered = commands.filter(({ answer }) => answer === null)
    const command =
      unanswered.length > 0 && chance.happens(0.7) ? chance.pick(unanswered) : chance.pick(commands.slice(-20))
    world.count('repeated-command')
    return `again ${send(command)}`
  }

  function follow(): string {
    if (readers.length > 0 && chance.happens(0.4)) {
      const reader = chance.pick(readers)
      readers = readers.filter((other) => other !== reader)
      reader.close()
      world.count('reader-cut')
      return 'a reader leaves'
    }
    if (readers.length > 5) return heal(chance.pick(readers))
    const { conversationId } = chance.pick(world.watches)
    const bus = world.bus.endOf(people, () => {})
    const reader = createReader({ conversationId, bus, violate: world.violate, log: readerLine(world) })
    readers = [...readers, reader]
    return heal(reader)
  }

  function heal(reader: Reader): string {
    void healed(reader)
    return 'a reader reads'
  }

  function crashMachine(): string {
    const everything = replicaCount === 1 || chance.happens(0.4)
    if (everything) killAll()
    world.machine().crash()
    world.restartMachine()
    return everything ? 'the power fails' : 'the database crashes and comes back'
  }

  function mend(): string {
    for (const { process } of living()) process.state = 'running'
    for (const { process } of living()) process.wallOffsetMs = 0
    for (const { process } of living()) process.cutFrom = 'nothing'
    if (!world.machine().isRunning()) world.restartMachine()
    if (living().length < replicaCount) start()
    return 'all is mended'
  }

  function shutDown(replica: Replica): string {
    replica.isClosing = true
    world.count('shutdown')
    void closed(world, replica, kill)
    return `${replica.process.name} shuts down`
  }

  function lose(replica: Replica, loss: Loss): string {
    const { process } = replica
    switch (loss) {
      case 'kill':
        world.count('process-crash')
        kill(process)
        return `${process.name} is killed`
      case 'pause':
        world.count('pause')
        process.state = 'paused'
        return `${process.name} is paused`
      case 'partition':
        world.count('partition')
        process.cutFrom = 'both'
        return `${process.name} reaches nobody`
      case 'drain':
        return shutDown(replica)
    }
  }

  function faultOf(replica: Replica): string {
    const { process } = replica
    const kind = chance.weighted([
      ['crash' as const, 8],
      ['power' as const, 2],
      ['pause' as const, 8],
      ['clock' as const, 16],
      ['shutdown' as const, replica.isClosing ? 0 : 3],
      ['trouble' as const, 6],
      ['partition' as const, isBeating ? 12 : 0],
    ])
    switch (kind) {
      case 'crash':
        return lose(replica, 'kill')
      case 'power':
        world.count('power-failure')
        return crashMachine()
      case 'pause':
        return lose(replica, 'pause')
      case 'clock':
        world.count('clock-jump')
        process.wallOffsetMs = chance.pick(
          isBeating ? [0, 300_000, 300_000, 5_000, 700] : [0, 40_000, -40_000, 5_000, -5_000, 700],
        )
        return `the clock of ${process.name} jumps`
      case 'shutdown':
        return lose(replica, 'drain')
      case 'partition':
        world.count('partition')
        process.cutFrom = chance.pick(['store', 'bus', 'both'])
        return `${process.name} is cut from ${process.cutFrom}`
      case 'trouble':
        world.storeTrouble = chance.pick([0, 0.005, 0.01, 0.02, 0.3])
        return `the store fails at a rate of ${world.storeTrouble}`
    }
  }

  return {
    living,
    mend,
    send,
    shutDown,
    lose,
    readers: () => readers,
    isShort: () => living().length < replicaCount,
    async begin(turn) {
      for (let count = 0; count < replicaCount; count++) start()
      const first = living()[0]
      if (!first) throw new Error('A world has at least one replica')
      const models = modelsOf(kinds, ({ providerId }) => ({ providerId, stream: () => neverAsked() }))
      for (let number = 0; number < CONVERSATIONS; number++) {
        const commandId = `create_${number}`
        const conversationId = `conversation_${sha256(`${OWNER}\n${commandId}`).slice(0, 24)}`
        world.addConversation(conversationId, () => models)
        const actor = { type: 'person', userId: OWNER } as const
        const modelId = chance.pick([null, ...kinds.map((kind) => kind.modelId)])
        void first.engine.createConversation({ commandId, actor, ownerId: OWNER, title: null, modelId }).catch(expected)
      }
      for (let step = 0; step < MOST_STEPS_TO_BEGIN && !hasBegun(world); step++)
        await turn(() => scheduler.runOne() ?? (scheduler.passToNext() ? 'time passes' : null))
      if (!hasBegun(world)) world.violate('LOG8', 'The conversations that were asked for do not begin')
    },
    person() {
      const kind = chance.weighted([
        ['new' as const, 70],
        ['again' as const, 12],
        ['reader' as const, 18],
      ])
      if (kind === 'again') return sendAgain()
      return kind === 'reader' ? follow() : sendNew()
    },
    fault() {
      if (!world.machine().isRunning()) return crashMachine()
      const dead = living().length < replicaCount
      const paused = living().filter(({ process }) => process.state === 'paused')
      if (dead && chance.happens(0.6)) return `${start().process.name} starts`
      if (paused.length > 0 && chance.happens(0.6)) {
        const { process } = chance.pick(paused)
        process.state = 'running'
        return `${process.name} goes on`
      }
      const cut = living().filter(({ process }) => process.cutFrom !== 'nothing')
      if (cut.length > 0 && chance.happens(0.6)) {
        const { process } = chance.pick(cut)
        process.cutFrom = 'nothing'
        return `${process.name} is reached again`
      }
      const alive = living()
      return alive.length === 0 ? `${start().process.name} starts` : faultOf(chance.pick(alive))
    },
  }
}

/** Whether every conversation has its first entry, or something is wrong already. */
function hasBegun({ watches, violations }: World): boolean {
  return violations.length > 0 || watches.every(({ entries }) => entries.length > 0)
}

/** Reads as a reader does, over a line that takes its time. */
function readerLine({ machine, scheduler, people }: World): Parameters<typeof createReader>[0]['log'] {
  return {
    async read(query) {
      const page = await machine().store.read(query)
      await scheduler.hop(people, 'a page reaches a reader')
      return page
    },
  }
}

async function healed(reader: Reader): Promise<void> {
  try {
    await reader.heal()
  } catch (error) {
    if (!isExpected(error)) throw error
  }
}

/** Shuts a replica down as the program does, and sees that nothing of it is left. [RUN14] */
async function closed(world: World, replica: Replica, kill: (process: SimulatedProcess) => void): Promise<void> {
  const { engine, process, own, beside } = replica
  if (beside) await beside.close()
  if (own) await drained(world, { engine, process, own })
  replica.isEnding = true
  await engine.close()
  if (own) await own.leave().catch(expected)
  const { timers } = world.scheduler.waitingCount(process)
  if (timers.length > 0)
    world.violate('RUN14', `${process.name} has shut down and left timers due in ${timers.join(', ')} ms`)
  kill(process)
}

/** Lets a replica give its answers, not longer than a drain may last. [SCALE6] */
async function drained(
  { scheduler }: World,
  { engine, process, own }: Pick<Replica, 'engine' | 'process'> & { readonly own: OwnReplica },
): Promise<void> {
  await own.drain(TIMES.drainMs + TIMES.closingMs).catch(expected)
  const limit = Promise.withResolvers<void>()
  const cancel = scheduler.clockOf(process).after(TIMES.drainMs, limit.resolve)
  await Promise.race([engine.drain(), limit.promise])
  cancel()
}

function expected(error: unknown): void {
  if (!isExpected(error)) throw error
}

function neverAsked(): never {
  throw new Error('This port only names its provider')
}
