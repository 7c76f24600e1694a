import { createSeededRandom, faultNamed, type Reply, type ReplyPart, type SeenRequest } from '@holdfast/conformance'

/** Who asks: the turn that is stopped, the one behind it, or a client without an engine. */
export interface AskedBy {
  readonly type: 'moment' | 'go-on' | 'bare'
  readonly number: number
}

/** How the text of a person names its moment, for the provider to know. */
export function wordsOf({ type, number }: AskedBy): string {
  return `${type} #${number}: put the workshop in order.`
}

/** The moment that a request belongs to: the last one that its text names. */
export function askedBy(bodyText: string): AskedBy | null {
  const found = [...bodyText.matchAll(/(moment|go-on|bare) #(\d+):/g)].at(-1)
  const type = found?.[1]
  if (type !== 'moment' && type !== 'go-on' && type !== 'bare') return null
  return { type, number: Number(found?.[2]) }
}

const WORDS = 'The shelf by the window holds the small planes and a box of screws. '
/** Deltas per second. */
const RATE = 300
/** How often the first request of a turn is refused, and taken when it is sent again. */
const OVERLOADED_SHARE = 0.08

/**
 * What the provider answers to the moments of a seed: thinking, text, a tool that reads and one with effects, more text.
 * About a second in all where no tool waits to be stopped.
 */
export function createMomentScript(seed: number): (request: SeenRequest) => Reply {
  const refused = new Set<number>()
  return ({ body }) => {
    const text = JSON.stringify(body)
    const by = askedBy(text)
    if (by === null) throw new Error(`A request names no moment: ${text.slice(0, 300)}`)
    const random = createSeededRandom(seed + by.number)
    const first = firstStep(random)
    const isOverloaded = random() < OVERLOADED_SHARE
    switch (by.type) {
      case 'go-on':
        return { parts: [{ type: 'text', text: 'All is in order now.' }] }
      case 'bare':
        return secondStep(random)
      case 'moment': {
        if (text.includes('"tool_result"')) return secondStep(random)
        if (!isOverloaded || refused.has(by.number)) return first
        refused.add(by.number)
        return { ...first, fault: { fault: faultNamed('status-529-overloaded'), place: 'before-first-event' } }
      }
    }
  }
}

function firstStep(random: () => number): Reply {
  return {
    parts: [
      { type: 'thinking', text: WORDS.repeat(3 + Math.floor(random() * 6)) },
      { type: 'text', text: WORDS.repeat(3 + Math.floor(random() * 6)) },
      { type: 'tool-call', name: 'read_note', input: { name: WORDS.repeat(2) } },
      effect(random()),
    ],
    deltasPerSecond: RATE,
    firstByteAfterMs: random() * 150,
  }
}

function secondStep(random: () => number): Reply {
  return {
    parts: [
      { type: 'thinking', text: WORDS.repeat(2) },
      { type: 'text', text: WORDS.repeat(10 + Math.floor(random() * 30)) },
    ],
    deltasPerSecond: RATE,
    firstByteAfterMs: random() * 150,
  }
}

function effect(chance: number): ReplyPart {
  if (chance < 0.15) return { type: 'tool-call', name: 'publish', input: { text: 'The plan' } }
  const kind = chance < 0.5 ? 'quick' : chance < 0.8 ? 'patient' : 'stubborn'
  return { type: 'tool-call', name: 'run_command', input: { kind } }
}
