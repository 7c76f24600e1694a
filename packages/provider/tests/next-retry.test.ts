import { ProviderErrorCode } from '@holdfast/conversation'
import { nextRetry, ProviderError } from '@holdfast/provider'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const still = { next: () => 0 }

function failed(code: ProviderErrorCode, retryAfterMs: number | null): ProviderError {
  return new ProviderError(code, 'x', { retryAfterMs })
}

describe('the next attempt', () => {
  it('[RUN7] waits 5 s, doubling to 120 s, and ends', () => {
    const waits = Array.from({ length: 9 }, (_, index) =>
      nextRetry({ attempt: index + 1, error: failed('rate-limit', null), sawContent: false, random: still }),
    )
    expect(waits).toEqual([5_000, 10_000, 20_000, 40_000, 80_000, 120_000, 120_000, null, null])
  })

  it("[RUN7] never undercuts the server's figure", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 900_000 }),
        fc.integer({ min: 1, max: 7 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (asked, attempt, chance) => {
          const wait = nextRetry({
            attempt,
            error: failed('overloaded', asked),
            sawContent: false,
            random: { next: () => chance },
          })
          expect(wait).toBeGreaterThanOrEqual(asked)
          expect(wait).toBeLessThanOrEqual(Math.ceil(asked * 1.25))
        },
      ),
    )
  })

  it('[RUN7] is not made when the server asks for longer than a quarter of an hour', () => {
    expect(
      nextRetry({ attempt: 1, error: failed('rate-limit', 3_600_000), sawContent: false, random: still }),
    ).toBeNull()
  })

  it('[RUN5] is never made after the first content', () => {
    for (const code of ProviderErrorCode.options) {
      expect(nextRetry({ attempt: 1, error: failed(code, 10), sawContent: true, random: still })).toBeNull()
    }
  })

  it('[RUN9] is made for what passes by itself, and for nothing else', () => {
    const repeated = ProviderErrorCode.options.filter(
      (code) => nextRetry({ attempt: 1, error: failed(code, null), sawContent: false, random: still }) !== null,
    )
    expect(repeated.sort()).toEqual(['internal', 'network', 'overloaded', 'rate-limit'])
  })
})
