import { overview, settingsOver, USUAL_SETTINGS } from '@holdfast/conversation'
import { type ScriptLine, says } from '@holdfast/engine/testing'
import { describe, expect, it } from 'vitest'
import { type Harness, type HarnessOptions, openHarness } from './support/harness.ts'

const MOST = 10_000

const BOUNDED: HarnessOptions = { ports: { settings: () => settingsOver(USUAL_SETTINGS, { answerChars: MOST }) } }

/** A source that sends without an end; it counts what it sent, and that it was closed. */
async function openEndless(parts: readonly ScriptLine[], piece: ScriptLine): Promise<Harness> {
  const endless = Array.from({ length: 200 }, () => piece)
  return openHarness([[...parts, ...endless, { type: 'wait' }], says('On')], [], null, BOUNDED)
}

async function answerOf(harness: Harness) {
  const log = await harness.log()
  return log.find((entry) => entry.type === 'step-finished')
}

describe('an answer without an end', () => {
  it('[RUN26] is closed where it holds as much as one may, is kept up to there, and says so', async () => {
    const start: ScriptLine = { type: 'block-started', block: 0, start: { type: 'text' } }
    const harness = await openEndless([start], { type: 'block-delta', block: 0, text: 'x'.repeat(999) })
    await harness.send('Hi', 'send-1')
    await harness.until('run-finished', 1)
    expect(harness.model.abortedCount()).toBe(1)
    const answer = await answerOf(harness)
    expect(answer).toMatchObject({ finish: 'cut', cut: 'too-long', blocks: [{ type: 'text' }] })
    const [block] = answer?.blocks ?? []
    const held = JSON.stringify({ type: 'text' }).length
    expect(block?.type === 'text' && block.text.length).toBe(MOST - held)
    expect((await harness.log()).find((entry) => entry.type === 'run-finished')).toMatchObject({
      outcome: 'limit',
      reason:
        'The answer reached 10000 characters, the most that one may hold, and its request was closed. Say so to go on.',
    })
    await harness.send('Go on', 'send-2')
    await harness.until('run-finished', 2)
    const state = overview.reduce(overview.initial, await harness.log())
    expect(state.runState.exclusive).toBeNull()
  })

  it('[RUN26] counts thinking, inputs of calls, names and what is signed together, and runs no call of it', async () => {
    const harness = await openEndless(
      [
        { type: 'block-started', block: 0, start: { type: 'thinking' } },
        { type: 'block-delta', block: 0, text: 't'.repeat(4_000) },
        { type: 'block-ended', block: 0, providerState: { signature: 's'.repeat(3_000) } },
        { type: 'block-started', block: 1, start: { type: 'tool-call', callId: 'call_1', name: 'n'.repeat(1_000) } },
        { type: 'block-delta', block: 1, text: '{}' },
        { type: 'block-ended', block: 1 },
        { type: 'block-started', block: 2, start: { type: 'tool-call', callId: 'call_2', name: 'write' } },
      ],
      { type: 'block-delta', block: 2, text: 'i'.repeat(100) },
    )
    await harness.send('Hi', 'send-1')
    await harness.until('run-finished', 1)
    const answer = await answerOf(harness)
    expect(answer).toMatchObject({ cut: 'too-long' })
    expect(JSON.stringify(answer?.blocks).length).toBeLessThan(MOST + 500)
    expect(JSON.stringify(answer?.blocks).length).toBeGreaterThan(MOST - 500)
    const types = await harness.types()
    expect(types).not.toContain('tool-call-started')
    expect(types.filter((type) => type === 'run-finished')).toHaveLength(1)
  })

  it('[RUN26] is closed also where it is made of nothing but beginnings', async () => {
    const harness = await openHarness(
      [
        [
          ...Array.from(
            { length: 1_000 },
            (_, block): ScriptLine => ({ type: 'block-started', block, start: { type: 'text' } }),
          ),
          { type: 'wait' },
        ],
      ],
      [],
      null,
      BOUNDED,
    )
    await harness.send('Hi', 'send-1')
    await harness.until('run-finished', 1)
    expect((await harness.log()).find((entry) => entry.type === 'run-finished')).toMatchObject({ outcome: 'limit' })
  })

  it('[RUN26] does not part a pair of code units', async () => {
    const start: ScriptLine = { type: 'block-started', block: 0, start: { type: 'text' } }
    const harness = await openEndless([start], { type: 'block-delta', block: 0, text: '\u{1F600}'.repeat(101) })
    await harness.send('Hi', 'send-1')
    await harness.until('run-finished', 1)
    const [block] = (await answerOf(harness))?.blocks ?? []
    expect(block?.type === 'text' && block.text.isWellFormed()).toBe(true)
  })
})
