import type { TranscriptItem, TranscriptUsage } from '@holdfast/conversation'
import { expect, it } from 'vitest'
import { cachedPercent, cacheTurns } from '../src/inspector/cache-turns.ts'

function usageOf(inputTokens: number, cacheReadTokens: number, change: Partial<TranscriptUsage> = {}): TranscriptUsage {
  return {
    inputTokens,
    cacheReadTokens,
    cacheCreation5mTokens: 100,
    cacheCreation1hTokens: 0,
    outputTokens: 5,
    thinkingTokens: 0,
    costUsd: null,
    measured: true,
    providerId: 'p',
    modelId: 'm',
    priceReference: 'list',
    ...change,
  }
}

function itemOf(
  seq: number,
  runId: string,
  usage: TranscriptUsage | null,
  role: 'user' | 'assistant' | 'title-request',
): TranscriptItem {
  const place = { seq, at: seq * 1_000, runId, stepId: `step_${seq}`, parts: [], toolCalls: [], usage }
  return role === 'assistant'
    ? { ...place, role, state: 'complete', finish: 'end' }
    : { ...place, role, state: 'complete' }
}

it('[CACHE4] sums what the requests of each turn read, and leaves out titles, summaries and what nobody measured', () => {
  const items = [
    itemOf(1, 'run_1', null, 'user'),
    itemOf(2, 'run_1', usageOf(900, 0), 'assistant'),
    itemOf(3, 'run_1', usageOf(100, 800), 'assistant'),
    itemOf(4, 'run_2', usageOf(10, 990), 'title-request'),
    itemOf(5, 'run_3', usageOf(10, 990, { measured: false }), 'assistant'),
    itemOf(6, 'run_4', usageOf(50, 850), 'assistant'),
  ]
  const turns = cacheTurns(items)
  expect(turns).toEqual([
    { runId: 'run_1', seq: 2, at: 2_000, promptTokens: 2_000, cachedTokens: 800 },
    { runId: 'run_4', seq: 6, at: 6_000, promptTokens: 1_000, cachedTokens: 850 },
  ])
  expect(turns.map(cachedPercent)).toEqual([40, 85])
})

it('[CACHE4] keeps the newest turns only', () => {
  const items = Array.from({ length: 40 }, (_, index) =>
    itemOf(index + 1, `run_${index + 1}`, usageOf(1, 1), 'assistant'),
  )
  const turns = cacheTurns(items)
  expect(turns).toHaveLength(24)
  expect(turns.at(-1)?.runId).toBe('run_40')
})
