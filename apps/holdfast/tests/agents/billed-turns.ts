import { faultNamed, type Scripted } from '@holdfast/conformance'
import type { AgentsWorld, SeenEntry, TestedConversation } from './agents-world.ts'
import { pause } from './random-stops.ts'

/** What turns that are billed went through. */
export interface BilledTurns {
  /** Turns that ended otherwise than what was done to them says. */
  failed: number
  stopped: number
  killed: number
  /** Answers of the provider that were a 500 or a 529. */
  refusals: number
  titles: number
  summaries: number
  longestStopMs: number
}

/** What happens to a turn, with how often it does of a hundred. */
const HAPPENINGS = [
  ['answer', 45],
  ['stop', 20],
  ['kill', 12],
  ['retry', 13],
  ['title', 5],
  ['summary', 5],
] as const
type Happening = (typeof HAPPENINGS)[number][0]

const ANSWER: Scripted = { parts: [{ type: 'text', text: 'Understood, and what was said is known.' }] }
/** Words that do not come again: Gemini CLI hangs up by itself where an answer goes round in circles, and asks once more. */
const LONG_WORDS = Array.from({ length: 400 }, (_, index) => `thing ${index} of many`).join(', ')
const LONG: Scripted = { parts: [{ type: 'text', text: LONG_WORDS }], deltasPerSecond: 60 }

/** Before a turn is stopped or killed it has at most so long: for the start of its agent, or a part of its answer. */
const LONGEST_BEFORE_MS = 3_000

/** Turns of an agent with stops and kills in the middle, answers that fail, titles and summaries; a seed says which. */
export async function takeBilledTurns(
  world: AgentsWorld,
  talk: TestedConversation,
  { count, dice }: { readonly count: number; readonly dice: () => number },
): Promise<BilledTurns> {
  const done = { failed: 0, stopped: 0, killed: 0, refusals: 0, titles: 0, summaries: 0, longestStopMs: 0 }
  const { provider } = world
  const acts: Readonly<Record<Happening, (turn: number) => Promise<boolean>>> = {
    answer: (turn) => completes(talk, turn),
    async stop(turn) {
      provider.otherwise(LONG)
      const ended = await begin(talk, turn)
      await pause(dice() * LONGEST_BEFORE_MS)
      const at = performance.now()
      await talk.stop()
      const end = await ended()
      done.longestStopMs = Math.max(done.longestStopMs, Math.round(performance.now() - at))
      done.stopped += 1
      return end['outcome'] === 'stopped'
    },
    async kill(turn) {
      provider.otherwise(LONG)
      const ended = await begin(talk, turn)
      await pause(dice() * LONGEST_BEFORE_MS)
      await world.killAndStart()
      done.killed += 1
      return (await ended())['outcome'] === 'interrupted'
    },
    async retry(turn) {
      const names = ['status-529-overloaded', 'status-500-internal']
      const failing = Array.from({ length: dice() < 0.5 ? 1 : 2 }, () => names[dice() < 0.5 ? 0 : 1] ?? '')
      provider.script(
        ...failing.map(
          (name) => ({ parts: [], fault: { fault: faultNamed(name), place: 'before-first-event' } }) as const,
        ),
      )
      done.refusals += failing.length
      return completes(talk, turn)
    },
    async title(turn) {
      if (!(await asks(world, talk, 'title'))) return false
      done.titles += 1
      return completes(talk, turn)
    },
    async summary(turn) {
      if (await asks(world, talk, 'checkpoint')) done.summaries += 1
      return completes(talk, turn)
    },
  }
  for (let turn = 0; turn < count; turn += 1) {
    const happening = pick(dice)
    provider.otherwise(ANSWER)
    if (await acts[happening](turn)) continue
    done.failed += 1
    console.error(`Turn ${turn} (${happening}) ended as ${JSON.stringify((await talk.ofType('run-finished')).at(-1))}`)
  }
  provider.otherwise(ANSWER)
  await settled(talk)
  return done
}

function pick(dice: () => number): Happening {
  let left = dice() * HAPPENINGS.reduce((sum, [, share]) => sum + share, 0)
  for (const [happening, share] of HAPPENINGS) {
    left -= share
    if (left < 0) return happening
  }
  return 'answer'
}

/** Sends; what it returns waits for the end of that turn. */
async function begin(talk: TestedConversation, turn: number): Promise<() => Promise<SeenEntry>> {
  const before = (await talk.ofType('run-started')).filter(({ purpose }) => purpose === 'turn').length
  await talk.send(`Turn ${turn}.`)
  return () => talk.turnEnd(before + 1)
}

async function completes(talk: TestedConversation, turn: number): Promise<boolean> {
  return (await talk.turn(`Turn ${turn}.`))['outcome'] === 'completed'
}

/** Asks for a run beside the turns, and waits for its end. @returns false where it is refused. */
async function asks(
  { program }: AgentsWorld,
  talk: TestedConversation,
  what: 'title' | 'checkpoint',
): Promise<boolean> {
  await settled(talk)
  const before = (await ended(talk, what)).length
  await program.call('POST', `/conversations/${talk.id}/${what}`, { commandId: `${what}-${Math.random()}` })
  await settled(talk)
  return (await ended(talk, what)).length > before
}

async function ended(talk: TestedConversation, purpose: string): Promise<readonly unknown[]> {
  const started = (await talk.ofType('run-started')).filter((run) => run['purpose'] === purpose)
  const ends = (await talk.ofType('run-finished')).map(({ runId }) => runId)
  return started.filter(({ runId }) => ends.includes(runId))
}

const SETTLED_MS = 60_000

/** Resolves when nothing runs: a title is made beside. */
async function settled(talk: TestedConversation): Promise<void> {
  const limit = Date.now() + SETTLED_MS
  for (;;) {
    const [started, ends] = [await talk.ofType('run-started'), await talk.ofType('run-finished')]
    if (started.length === ends.length) return
    if (Date.now() > limit) throw new Error(`${started.length - ends.length} runs of ${talk.id} have no end`)
    await pause(50)
  }
}
