import type { ToolOutcome } from '@holdfast/conversation'
import { describe, expect, it } from 'vitest'
import { hastyClock, hostileReach, knownPins, openServer, textOf, untilConnected } from './support/open-server.ts'

interface Fault {
  readonly fault: string
  readonly outcome: ToolOutcome
  /** What the model reads of it. */
  readonly says: RegExp
  /** Whether it is played in the quick count too. */
  readonly quick?: true
  readonly timeoutMs?: number
}

/** Faults of a server that answers: it is called once, has one result, and can be called again, restarted or not. */
const IN_A_CALL: readonly Fault[] = [
  { fault: 'none', outcome: 'ok', says: /^work done$/ },
  { fault: 'dies-in-call', outcome: 'error', says: /ended while the call ran/, quick: true },
  { fault: 'killed-in-call', outcome: 'error', says: /ended while the call ran/ },
  { fault: 'closes-output', outcome: 'timed-out', says: /timed out/, timeoutMs: 300 },
  { fault: 'hangs', outcome: 'timed-out', says: /timed out after 300 ms/, timeoutMs: 300, quick: true },
  { fault: 'only-wrong-id', outcome: 'timed-out', says: /timed out/, timeoutMs: 300 },
  { fault: 'wrong-id', outcome: 'ok', says: /^right$/, quick: true },
  { fault: 'answers-twice', outcome: 'ok', says: /^first$/ },
  { fault: 'answers-both', outcome: 'ok', says: /^fine$/ },
  { fault: 'error', outcome: 'error', says: /refused the call: .*wrong arguments/ },
  { fault: 'error-of-nothing', outcome: 'timed-out', says: /timed out/, timeoutMs: 300 },
  { fault: 'is-error', outcome: 'error', says: /^it did not work$/ },
  { fault: 'no-content', outcome: 'ok', says: /./ },
  { fault: 'result-nonsense', outcome: 'error', says: /failed|refused/ },
  { fault: 'block-nonsense', outcome: 'error', says: /failed|refused/ },
  { fault: 'result-null', outcome: 'timed-out', says: /timed out/, timeoutMs: 300 },
  { fault: 'empty', outcome: 'ok', says: /The tool returned nothing/ },
  { fault: 'structured-only', outcome: 'ok', says: /^\{"n":7\}$/ },
  { fault: 'large', outcome: 'ok', says: /x{1000}/, quick: true },
  { fault: 'too-large', outcome: 'error', says: /ended while the call ran/, quick: true },
  { fault: 'endless-line', outcome: 'error', says: /ended while the call ran/ },
  { fault: 'many-blocks', outcome: 'ok', says: /^a\n\na/ },
  { fault: 'large-picture', outcome: 'ok', says: /too large or one too many/ },
  { fault: 'many-pictures', outcome: 'ok', says: /one too many/ },
  { fault: 'picture-nonsense', outcome: 'ok', says: /a picture of type text\/html/ },
  { fault: 'sound', outcome: 'ok', says: /\[sound of type audio\/wav/ },
  { fault: 'resources', outcome: 'ok', says: /inside\n\n.*file:\/\/\/b, not text.*\n\n.*resource c: file/ },
  { fault: 'controls', outcome: 'ok', says: /bell/ },
  { fault: 'invalid-bytes', outcome: 'ok', says: /^after$/ },
  { fault: 'prints-in-call', outcome: 'ok', says: /^after$/ },
  { fault: 'half-lines', outcome: 'ok', says: /^whole$/ },
  { fault: 'floods-progress', outcome: 'ok', says: /^done$/, timeoutMs: 60_000 },
  { fault: 'floods-unknown', outcome: 'ok', says: /^done$/, quick: true },
  { fault: 'floods-log', outcome: 'ok', says: /^done$/ },
  { fault: 'floods-list-changed', outcome: 'ok', says: /^done$/ },
  { fault: 'floods-requests', outcome: 'ok', says: /^done$/ },
  { fault: 'floods-stderr', outcome: 'ok', says: /^work done$/ },
  { fault: 'progress-nonsense', outcome: 'ok', says: /^done$/ },
  { fault: 'prints-at-start', outcome: 'ok', says: /^work done$/ },
  { fault: 'leaves-children', outcome: 'ok', says: /^work done$/ },
  { fault: 'ignores-term', outcome: 'timed-out', says: /timed out/, timeoutMs: 300, quick: true },
  { fault: 'keeps-running', outcome: 'timed-out', says: /timed out/, timeoutMs: 300 },
  { fault: 'dies-when-asked', outcome: 'ok', says: /^work done$/ },
  { fault: 'wants-roots', outcome: 'ok', says: /-32601/ },
  { fault: 'samples', outcome: 'ok', says: /-32601/, quick: true },
  { fault: 'asks', outcome: 'ok', says: /"cancel"/ },
  { fault: 'asks-by-address', outcome: 'ok', says: /"decline"|-32602|cancel/ },
  { fault: 'wrong-definition', outcome: 'ok', says: /^work done$/ },
  { fault: 'wrong-schema', outcome: 'ok', says: /^work done$/ },
  { fault: 'two-of-a-name', outcome: 'ok', says: /^work done$/ },
  { fault: 'long-description', outcome: 'ok', says: /^work done$/ },
  { fault: 'large-schema', outcome: 'ok', says: /^work done$/ },
  { fault: 'same-page', outcome: 'ok', says: /^work done$/ },
]

/** Faults of a server that never gets to answer: a call of a tool that was accepted before says so, and is bounded. */
const BEFORE_A_CALL: readonly Fault[] = [
  { fault: 'dies-at-start', outcome: 'error', says: /not connected/, quick: true },
  { fault: 'never-answers', outcome: 'error', says: /not connected/, quick: true },
  { fault: 'refuses', outcome: 'error', says: /not connected.*not today/ },
  { fault: 'wrong-version', outcome: 'error', says: /not connected.*1999-01-01/ },
  { fault: 'initialize-nonsense', outcome: 'error', says: /not connected/ },
  { fault: 'never-lists', outcome: 'error', says: /not connected/, quick: true },
  { fault: 'dies-listing', outcome: 'error', says: /not connected/ },
  { fault: 'list-error', outcome: 'error', says: /not connected.*no list today/ },
  { fault: 'list-nonsense', outcome: 'error', says: /not connected/ },
  { fault: 'no-tools', outcome: 'error', says: /no longer has the tool work/ },
]

const isFull = process.env['HOLDFAST_FULL'] === '1'
const played = (faults: readonly Fault[]): Fault[] => faults.filter(({ quick }) => isFull || quick === true)

describe('[TOOL9] [TOOL2] a fault of a server costs its own call and nothing else', () => {
  it.each(played(IN_A_CALL))('$fault in a call', async ({ fault, outcome, says, timeoutMs }) => {
    const open = openServer(hostileReach(fault), timeoutMs === undefined ? {} : { settings: { timeoutMs } })
    await untilConnected(open)
    const result = await open.call('work', {})
    expect(result).toMatchObject({ outcome })
    expect(textOf(result)).toMatch(says)
    expect(textOf(result).length).toBeLessThan(60_000)
    expect(open.server.logs().length).toBeLessThanOrEqual(500)
    // It is there again for the next call, by itself.
    await untilConnected(open)
  })

  it.each(played(BEFORE_A_CALL))('$fault before a call', async ({ fault, outcome, says }) => {
    const open = openServer(hostileReach(fault), { pins: knownPins(), clock: hastyClock })
    await expect.poll(() => open.server.definitions().length).toBe(1)
    const result = await open.call('work', {})
    expect(result).toMatchObject({ outcome })
    expect(textOf(result)).toMatch(says)
  })

  it('three servers that die at once leave the fourth alone, and are back', async () => {
    const [calm, ...dying] = [
      openServer(hostileReach('none')),
      ...[1, 2, 3].map(() => openServer(hostileReach('dies-in-call'))),
    ]
    await Promise.all([calm, ...dying].map(untilConnected))
    const results = await Promise.all([...dying, calm].map((open) => open.call('work', {})))
    expect(results.map(({ outcome }) => outcome)).toEqual(['error', 'error', 'error', 'ok'])
    await Promise.all(dying.map(untilConnected))
    expect(dying.map(({ server }) => server.status().failures)).toEqual([1, 1, 1])
    expect(calm.server.status().failures).toBe(0)
  })
})
