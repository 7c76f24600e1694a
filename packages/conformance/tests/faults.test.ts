import { gunzipSync } from 'node:zlib'
import {
  allFaultCases,
  createFaultReply,
  createStrictProvider,
  FAULTS,
  type FaultCase,
  FORMATS,
  faultNamed,
  PLACES,
  type StrictProvider,
} from '@holdfast/conformance'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasOwnEnd, post, smallRequest, textOf } from './raw-client.ts'

let provider: StrictProvider

beforeAll(async () => {
  provider = await createStrictProvider({})
})

afterAll(async () => {
  await provider.close()
})

/** Answers of so many bytes are driven in large-answers.slow.test.ts. */
const LARGE = ['huge-delta', 'million-deltas', 'arguments-5-mb']
/** After these the body has no end that HTTP knows. */
const BREAKS = ['reset-before-headers', 'reset', 'cut-in-event', 'cut-between-events', 'gzip-cut']

/** How long a client waits that expects silence, and one that expects an end. */
const SHORT_MS = 300
const PATIENCE_MS = 10_000

const cases = allFaultCases().filter(({ fault }) => fault.effect.type !== 'address' && !LARGE.includes(fault.name))

describe('the matrix of faults', () => {
  it('[RUN5, RUN9] has every fault at its places in every format', () => {
    expect(FAULTS.length).toBeGreaterThan(55)
    expect(new Set(FAULTS.map(({ name }) => name)).size).toBe(FAULTS.length)
    expect(allFaultCases().length).toBeGreaterThan(600)
    for (const format of FORMATS) {
      for (const place of PLACES) {
        expect(allFaultCases().some((fault) => fault.format === format && fault.place === place)).toBe(true)
      }
    }
  })

  describe.each(FORMATS)('of %s', (format) => {
    // Side by side, each with a provider of its own: many of them wait for what must not come.
    it.concurrent.each(cases.filter((one) => one.format === format))(
      '[RUN5, RUN9] shows $fault.name $place as it says',
      async (one) => {
        const own = await createStrictProvider({})
        try {
          await expectShown(own, one)
        } finally {
          await own.close()
        }
      },
    )
  })

  it.each(['refused', 'not-tls', 'unknown-host'] as const)('[RUN9] has an address for %s', async (address) => {
    await expect(fetch(provider.addressOf(address))).rejects.toThrow('fetch failed')
  })

  it('[RUN7] sends retry-after where the fault says so, and not otherwise', async () => {
    const after = async (name: string) => {
      provider.script(createFaultReply(faultNamed(name), 'before-first-event'))
      return (await post(provider, smallRequest('anthropic', 'Hello'), PATIENCE_MS)).headers['retry-after']
    }
    expect(await after('status-429-rate-limit-retry-after')).toBe('2')
    expect(await after('status-429-rate-limit')).toBeUndefined()
  })
})

async function expectShown(provider: StrictProvider, { format, fault, place }: FaultCase): Promise<void> {
  provider.script(createFaultReply(fault, place))
  const answer = await post(
    provider,
    smallRequest(format, `Please do ${fault.name} ${place}.`),
    fault.outcome === 'silent' ? SHORT_MS : PATIENCE_MS,
  )
  const [record] = provider.requests
  await record?.done
  const bytes = fault.name === 'gzip' ? gunzipSync(answer.bytes) : answer.bytes
  const isWhole = hasOwnEnd(format, textOf(format, bytes))
  switch (fault.outcome) {
    case 'error':
      expect(
        answer.status === 200 &&
          hasOwnEnd(format, textOf(format, bytes)) &&
          answer.headers['content-type'] !== 'application/json',
      ).toBe(false)
      break
    case 'cut':
      expect(isWhole).toBe(false)
      expect(answer.ending).not.toBe('silent')
      break
    case 'silent':
      expect(answer.ending).toBe('silent')
      expect(record?.ending).toBe('client-closed')
      break
    case 'whole':
      expect(answer.ending).toBe('end')
      expect(isWhole).toBe(true)
      break
  }
  if (BREAKS.includes(fault.name)) expect(answer.ending).toBe('broken')
  if (fault.name === 'clean-end') expect(answer.ending).toBe('end')
  expect(record?.violations).toEqual([])
  expect(record?.fault).toEqual({ fault, place })
  if (fault.effect.type !== 'connection' && fault.effect.type !== 'event') return
  const isInside = place !== 'before-first-event'
  expect((record?.deltaMs.length ?? 0) > 0 || fault.outcome === 'whole').toBe(isInside || fault.outcome === 'whole')
}
