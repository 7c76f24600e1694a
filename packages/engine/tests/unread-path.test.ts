import type { AnswerBlock, NewEntry } from '@holdfast/conversation'
import {
  runFinished,
  runStarted,
  stepFinished,
  stepStarted,
  textBlock,
  toolCallBlock,
  toolCallSettled,
  userMessageSent,
} from '@holdfast/conversation/testing'
import { says } from '@holdfast/engine/testing'
import type { ModelRequest } from '@holdfast/provider'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { countMessages } from '../src/log/path-log.ts'
import { openHarness } from './support/harness.ts'

const WINDOW = 4_000

/** What stands in the log of a turn and is not sent, or not whole. */
interface Unsent {
  readonly kind: 'nothing' | 'title' | 'thinking' | 'result'
  readonly chars: number
}

const turns = fc.array(
  fc.record<Unsent>({
    kind: fc.constantFrom('nothing', 'title', 'thinking', 'result'),
    chars: fc.integer({ min: 1, max: 30_000 }),
  }),
  { minLength: 20, maxLength: 150 },
)

function turnWith(number: number, { kind, chars }: Unsent): readonly NewEntry[] {
  const [runId, stepId] = [`run_${number}`, `step_${number}`]
  const long = 'nine words '.repeat(Math.ceil(chars / 11))
  const answer = (id: string, blocks: AnswerBlock[]) => [
    stepStarted(runId, id, 'turn'),
    stepFinished(runId, id, blocks),
  ]
  const call = { callId: `call_${number}`, name: 'read' }
  return [
    runStarted(runId, 'turn'),
    userMessageSent(runId, `input_${number}`, `asked ${number}.`),
    ...(kind === 'result'
      ? [
          ...answer(`${stepId}_calls`, [toolCallBlock(call.callId, call.name)]),
          {
            ...toolCallSettled(runId, `${stepId}_calls`, { ...call, outcome: 'ok' as const }),
            content: [{ type: 'text' as const, text: long }],
          },
        ]
      : []),
    ...answer(stepId, [
      ...(kind === 'thinking' ? [{ type: 'thinking' as const, text: long }] : []),
      textBlock(`answered ${number}.`),
    ]),
    runFinished(runId, 'completed'),
    ...(kind === 'title' ? titleOf(number, long) : []),
  ]
}

function titleOf(number: number, text: string): readonly NewEntry[] {
  const [runId, stepId] = [`title_${number}`, `title_step_${number}`]
  return [
    runStarted(runId, 'title'),
    stepStarted(runId, stepId, 'title'),
    stepFinished(runId, stepId, [textBlock(text)]),
    runFinished(runId, 'completed'),
  ]
}

const asked = /asked (\d+)\./g

function saidIn(request: ModelRequest): readonly number[] {
  return [...JSON.stringify(request.messages).matchAll(asked)].map(([, number]) => Number(number))
}

it('[WIN13] what is not sent of a long log leaves no message out: each is in a request, or is said to be left out', async () => {
  const seen = { whole: 0, moved: 0, summarised: 0 }
  await fc.assert(
    fc.asyncProperty(turns, fc.boolean(), async (logged, canSummarise) => {
      const isSummary = (request: ModelRequest) => JSON.stringify(request.messages.at(-1)).includes('<summary-request>')
      const answer = (request: ModelRequest) =>
        isSummary(request) ? says(canSummarise ? 'They talked.' : '') : says('So.')
      const harness = await openHarness([], [], WINDOW, { answer })
      const { store, conversationId } = harness
      const after = (await harness.log()).length
      await store.append({
        conversationId,
        after,
        entries: logged.flatMap((unsent, at) => turnWith(at, unsent)),
        at: 1,
      })
      const engine = await harness.restart([], { answer })
      const before = (await engine.log()).filter(({ type }) => type === 'run-finished').length
      await engine.send('And the last?', 'send')
      await engine.until('run-finished', before + 1)
      const log = await engine.log()
      const started = log.flatMap((entry) => (entry.type === 'window-moved' ? [entry] : []))
      const unsaid = new Set(logged.keys())
      for (const request of engine.model.requests) for (const number of saidIn(request)) unsaid.delete(number)
      const startSeq = Math.max(0, ...started.map((moved) => moved.startSeq))
      const leftOut = Math.max(0, ...started.map(({ leftOutCount }) => leftOutCount))
      for (const number of unsaid) {
        const at = log.find((entry) => entry.type === 'user-message-sent' && entry.runId === `run_${number}`)
        expect(at?.seq).toBeLessThan(startSeq)
      }
      if (!canSummarise && started.length > 0)
        expect(leftOut).toBe(countMessages(log.filter(({ seq }) => seq < startSeq)))
      const last = engine.model.requests.findLast((request) => !isSummary(request))
      expect(last && saidIn(last)).toEqual(last && [...saidIn(last)].sort((one, other) => one - other))
      if (unsaid.size === 0 && started.length === 0) seen.whole++
      if (started.length > 0) seen.moved++
      if (log.some(({ type }) => type === 'checkpoint-made')) seen.summarised++
    }),
    { numRuns: 60, endOnFailure: true },
  )
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(3)
})
