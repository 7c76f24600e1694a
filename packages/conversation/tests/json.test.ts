import { Json } from '@holdfast/conversation'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'

describe('what is JSON', () => {
  it('[SEC5] is what a union that is tried at each node says, for any value', () => {
    const union = z.json()
    const anything = fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true })
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), anything), (value) => {
        expect(Json.safeParse(value).success).toBe(union.safeParse(value).success)
      }),
    )
  })

  it('[SEC5] is refused by its depth, whatever the stack would bear', () => {
    const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels))
    expect(Json.safeParse(nested(1_000)).success).toBe(true)
    expect(Json.safeParse(nested(1_001)).success).toBe(false)
  })
})
