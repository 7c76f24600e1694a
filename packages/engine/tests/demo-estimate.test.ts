import { familyEstimator, requestSize, toTokens } from '@holdfast/context'
import { type ModelRequest, noBlobs } from '@holdfast/provider'
import { createDemoModel } from '@holdfast/provider/demo'
import { expect, test } from 'vitest'

const TOOLS = Array.from({ length: 30 }, (_, index) => ({
  name: `tool_${index}`,
  description: 'Reads a file of the folder and gives its lines, at most as many as are asked for.',
  parameters: { type: 'object', properties: { path: { type: 'string' }, lines: { type: 'integer' } } },
}))

const REQUEST: ModelRequest = {
  modelId: 'demo',
  system: 'You help with files.',
  tools: TOOLS,
  toolChoice: 'auto',
  messages: [{ role: 'user', parts: [{ type: 'text', text: 'What is in this folder?' }] }],
  maxOutputTokens: 1_000,
  thinkingBudgetTokens: null,
  parameters: {},
  cacheMarks: null,
}

test('[COST5] the demo measures within the margin of decisions of what is estimated of a first request, as tools weigh in both', async () => {
  const clock = { now: () => 0, monotonicMs: () => 0, after: () => () => {} }
  const demo = createDemoModel({ clock, ids: { next: (kind) => kind } })
  const leaving = new AbortController()
  let measured = 0
  await demo.stream(REQUEST, {
    signal: leaving.signal,
    blobs: noBlobs,
    onPart(part) {
      if (part.type === 'usage') measured = part.usage.inputTokens ?? 0
      leaving.abort()
      return undefined
    },
  })
  const estimated = toTokens(
    requestSize(REQUEST, 'demo'),
    familyEstimator.tokenWeight({ providerId: 'demo', modelId: 'demo' }),
  )
  expect(Math.abs(estimated - measured) / measured).toBeLessThan(0.15)
})
