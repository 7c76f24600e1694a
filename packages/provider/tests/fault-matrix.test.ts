import { allFaultCases, type FaultCase } from '@holdfast/conformance'
import { describe, expect, it } from 'vitest'
import { expectedEnd, keptWords } from './support/expected-fault.ts'
import { type FaultRun, LARGE_ANSWERS, runFault } from './support/run-fault.ts'
import { callsOf, STRICT_PORTS, type StrictPort } from './support/strict-ports.ts'

const FULL = process.env['HOLDFAST_FULL'] === '1'

/** How long a port may take to end by itself, and to end after a signal. */
const ENDS_WITHIN_MS = 5_000
/** How long a name is looked for says the system. */
const LOOKED_UP_WITHIN_MS = 45_000
const LARGE_ENDS_WITHIN_MS = 300_000
const CLOSES_WITHIN_MS = 200

/** Second opinions, and answers of millions of characters, belong to the full count. */
const PORTS = FULL ? STRICT_PORTS : STRICT_PORTS.slice(0, 6)

/** What a script's raw arguments are, and what the call must hold. */
const RAW: Readonly<Record<string, string>> = {
  'arguments-invalid-json': '{"path": "a.txt", "lines": [1, 2',
  'arguments-not-an-object': '["a.txt"]',
  'arguments-duplicate-keys': '{"path":"a.txt","path":"b.txt"}',
  'arguments-proto': '{"__proto__":{"path":"a.txt"},"constructor":{"prototype":{}}}',
}

const TWENTY_MB = 20_000_000
const MILLION = 1_000_000

function wordsOf({ answer }: FaultRun, type: 'text' | 'thinking'): string {
  return answer.blocks.map((block) => (block.type === type ? block.text : '')).join('')
}

function expectCalls({ answer }: FaultRun, { fault }: FaultCase): void {
  const calls = callsOf(answer.blocks)
  const raw = RAW[fault.name]
  if (raw !== undefined) expect(calls).toMatchObject([{ inputText: raw, complete: true }])
  if (fault.name === 'max-tokens-in-call') expect(calls.every(({ complete }) => !complete)).toBe(true)
  if (fault.name === 'duplicate-ids') expect(calls.length).toBe(2)
  if (fault.name === 'unknown-tool') expect(calls).toMatchObject([{ name: 'no_such_tool', complete: true }])
  if (fault.name === 'arguments-5-mb') expect(calls[0]?.inputText.length).toBeGreaterThan(5_000_000)
  expect(new Set(calls.map(({ callId }) => callId)).size).toBe(calls.length)
  expect(calls.every(({ callId }) => callId !== '')).toBe(true)
}

function expectUsage({ answer, record }: FaultRun, { fault }: FaultCase): void {
  const figures = Object.values(answer.usage ?? {}).filter((figure) => figure !== null)
  expect(figures.every((figure) => figure >= 0)).toBe(true)
  if (answer.finish === null || fault.name.startsWith('usage-')) return
  const { inputTokens, outputTokens } = record?.usage ?? { inputTokens: -1, outputTokens: -1 }
  expect(answer.usage).toMatchObject({ inputTokens, outputTokens })
}

function expectLarge(run: FaultRun, { fault, place }: FaultCase, thinks: boolean): void {
  if (fault.name === 'arguments-5-mb') return
  const size = fault.name === 'huge-delta' ? TWENTY_MB : MILLION
  const words = place === 'in-tool-arguments' ? (callsOf(run.answer.blocks)[0]?.inputText ?? '') : ''
  if (place === 'in-text') expect(wordsOf(run, 'text').length).toBe(size)
  if (place === 'in-thinking' && thinks) expect(wordsOf(run, 'thinking').length).toBe(size)
  if (place === 'in-tool-arguments') expect(words.length).toBeGreaterThan(size)
}

describe.each(PORTS)('$name meets', (port: StrictPort) => {
  const cases = allFaultCases().filter(({ format }) => format === port.format)
  const small = cases.filter(({ fault }) => !LARGE_ANSWERS.has(fault.name))
  const large = cases.filter(({ fault }) => LARGE_ANSWERS.has(fault.name))

  it('[RUN9] every fault of its format', () => {
    expect([small.length > 95, large.length]).toEqual([true, 7])
  })

  it.concurrent.each(small)(
    '[RUN5, RUN9, RUN11] $fault.name $place',
    (one) => expectEnd(port, one),
    LOOKED_UP_WITHIN_MS + ENDS_WITHIN_MS,
  )

  if (FULL) it.each(large)('[RUN3, RUN9] $fault.name $place', (one) => expectEnd(port, one), LARGE_ENDS_WITHIN_MS)
})

async function expectEnd(port: StrictPort, one: FaultCase): Promise<void> {
  const { fault, place } = one
  const isLarge = LARGE_ANSWERS.has(fault.name)
  const endsWithinMs = fault.name === 'address-unknown-host' ? LOOKED_UP_WITHIN_MS : ENDS_WITHIN_MS
  const limitMs = fault.outcome === 'silent' ? CLOSES_WITHIN_MS : isLarge ? LARGE_ENDS_WITHIN_MS : endsWithinMs
  const run = await runFault(port, one)
  const { answer, error, wasSilent, tookMs, record, next } = run
  const expected = expectedEnd(port, one)
  expect({ error: error?.code ?? null, finish: answer.finish }).toEqual({
    error: expected.error,
    finish: expected.finish,
  })
  expect(wasSilent).toBe(fault.outcome === 'silent')
  expect(tookMs).toBeLessThan(limitMs)
  if (expected.kept !== null) {
    const { thinking, text } = keptWords(expected.kept)
    expect([wordsOf(run, 'thinking'), wordsOf(run, 'text')]).toEqual([port.thinks ? thinking : '', text])
  }
  if (expected.finish !== null) expectCalls(run, one)
  if (isLarge) expectLarge(run, one, port.thinks)
  if (fault.effect.type === 'status')
    expect(error?.retryAfterMs ?? null).toBe(fault.effect.retryAfterSeconds === undefined ? null : 2_000)
  if (fault.effect.type !== 'address') expect(record?.fault).toEqual({ fault, place })
  expectUsage(run, one)
  expect(run.requests).toBe(fault.effect.type === 'address' ? 0 : 1)
  expect(next).toEqual(isLarge ? undefined : { status: 200, violations: [] })
}
