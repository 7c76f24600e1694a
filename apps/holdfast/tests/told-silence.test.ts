import type { FollowedEvent } from '@holdfast/client'
import type { EntryOf } from '@holdfast/conversation'
import { createManualClock } from '@holdfast/engine/testing'
import { expect, test } from 'vitest'
import { createToldSilence, SILENT_MS } from '../src/cli/terminal/told-silence.ts'

const head = {
  v: 1,
  seq: 1,
  conversationId: 'c1',
  at: 0,
  actor: { type: 'engine' },
  runId: 'r1',
  stepId: 's1',
} as const

const asked: EntryOf<'step-started'> = {
  ...head,
  type: 'step-started',
  purpose: 'turn',
  providerId: 'anthropic',
  modelId: 'm',
  requestHash: 'h',
  prefixHash: 'h',
  anchors: [],
  windowStartSeq: 1,
  builderVersion: 1,
  estimatedInputTokens: 1,
  maxOutputTokens: 1,
  thinkingBudgetTokens: null,
  windowTokens: 1,
}

const failed: EntryOf<'step-failed'> = {
  ...head,
  type: 'step-failed',
  error: { code: 'network', message: 'Gone.' },
  attempt: 1,
}

const delta: FollowedEvent = { type: 'delta', conversationId: 'c1', stepId: 's1', block: 0, offset: 0, text: 'a' }

test('[CLI12] a provider that says nothing is spoken of again and again, until it says something or its request ends', async () => {
  const clock = createManualClock()
  const told: string[] = []
  const silence = createToldSilence(clock, (line) => told.push(line))
  await clock.advance(SILENT_MS)
  expect(told).toEqual([])
  silence.heard({ type: 'entry', entry: asked })
  await clock.advance(SILENT_MS)
  await clock.advance(SILENT_MS)
  expect(told).toEqual([
    'anthropic has said nothing for 15 s. Ctrl+C stops it and keeps what there is.',
    'anthropic has said nothing for 30 s. Ctrl+C stops it and keeps what there is.',
  ])
  silence.heard(delta)
  await clock.advance(SILENT_MS - 1)
  silence.heard(delta)
  await clock.advance(SILENT_MS - 1)
  expect(told).toHaveLength(2)
  silence.heard({ type: 'entry', entry: failed })
  await clock.advance(SILENT_MS)
  expect(told).toHaveLength(2)
})

test('[CLI12] a program that answers is spoken of by its name', async () => {
  const clock = createManualClock()
  const told: string[] = []
  const silence = createToldSilence(clock, (line) => told.push(line))
  const agent = { agentId: 'external:opencode', name: 'opencode' }
  silence.heard({ type: 'entry', entry: { ...asked, providerId: 'external:opencode', agent } })
  await clock.advance(SILENT_MS)
  expect(told).toEqual(['opencode has said nothing for 15 s. Ctrl+C stops it and keeps what there is.'])
})

test('[CLI12] nothing is spoken of for a title beside the turn, nor after it is closed', async () => {
  const clock = createManualClock()
  const told: string[] = []
  const silence = createToldSilence(clock, (line) => told.push(line))
  silence.heard({ type: 'entry', entry: { ...asked, purpose: 'title' } })
  await clock.advance(SILENT_MS)
  silence.heard({ type: 'entry', entry: asked })
  silence.close()
  await clock.advance(SILENT_MS)
  expect(told).toEqual([])
})

test('[CLI12] of a provider nothing is said while the line to the server is lost', async () => {
  const clock = createManualClock()
  const told: string[] = []
  const silence = createToldSilence(clock, (line) => told.push(line))
  silence.heard({ type: 'entry', entry: asked })
  silence.lineIs('lost')
  await clock.advance(10 * SILENT_MS)
  expect(told).toEqual([])
  silence.lineIs('back')
  await clock.advance(SILENT_MS)
  expect(told).toEqual(['anthropic has said nothing for 15 s. Ctrl+C stops it and keeps what there is.'])
  silence.heard({ type: 'entry', entry: failed })
  silence.lineIs('lost')
  silence.lineIs('back')
  await clock.advance(SILENT_MS)
  expect(told).toHaveLength(1)
})
