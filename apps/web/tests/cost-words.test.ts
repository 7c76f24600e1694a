import { describe, expect, it } from 'vitest'
import { besideText, type Cost, costText } from '../src/shared/cost-words.ts'

const cost = (more: Partial<Cost>): Cost => ({
  usd: 0.42,
  requestCount: 2,
  unpricedCount: 0,
  isEstimated: false,
  word: null,
  ...more,
})

describe('a cost in words', () => {
  it('[COST3] is at least what is known, and no amount where next to nothing of it is', () => {
    expect(costText(cost({}))).toBe('$0.420')
    expect(costText(cost({ unpricedCount: 1 }))).toBe('≥ $0.420')
    expect(costText(cost({ usd: 0.000_03 }))).toMatch(/^<\s\$0\.001$/)
    expect(costText(cost({ usd: 0.000_03, unpricedCount: 1 }))).toBe('—')
    expect(costText(cost({ usd: 0, unpricedCount: 1 }))).toBe('—')
  })

  it('[COST3] of sub-agents says that it is not known', () => {
    expect(besideText(cost({}))).toBe('+ $0.420 sub-agents')
    expect(besideText(cost({ unpricedCount: 2 }))).toBe('+ sub-agents, price unknown')
  })
})
