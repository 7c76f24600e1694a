import type { Ring } from '@holdfast/conversation'
import { expect, test } from 'vitest'
import { echoText, readRingText, ringTexts } from '../src/postgres/connection/ring-text.ts'
import { createWaitingRings } from '../src/postgres/connection/waiting-rings.ts'

const EVERY_KIND: readonly Ring[] = [
  { type: 'grown', conversationId: 'conversation_1', head: 17 },
  { type: 'draft-kept', conversationId: 'an id with blanks' },
  { type: 'erased', conversationId: 'conversation_1' },
]

test('[SCALE11] a notification says what is to be read, by whom it was rung, and nothing of the words', () => {
  const texts = ringTexts('run_1', EVERY_KIND)
  expect(texts).toHaveLength(1)
  expect(readRingText(texts[0] ?? '')).toEqual({ from: 'run_1', rings: EVERY_KIND, echo: null })
  expect(readRingText(echoText('run_1', '4'))).toEqual({ from: 'run_1', rings: [], echo: '4' })
  expect(readRingText('run_1\nz something of a later version\ng\n').rings).toEqual([])
})

test('[SCALE11] rings are cut into notifications that PostgreSQL takes, and none is lost', () => {
  const rings = Array.from(
    { length: 2_000 },
    (_, index): Ring => ({
      type: 'grown',
      conversationId: `conversation_${index}`,
      head: index + 1,
    }),
  )
  const texts = ringTexts('run_1', rings)
  expect(texts.length).toBeGreaterThan(1)
  for (const text of texts) expect(Buffer.byteLength(text)).toBeLessThan(8_000)
  expect(texts.flatMap((text) => readRingText(text).rings)).toEqual(rings)
  const tooLong: Ring = { type: 'erased', conversationId: 'x'.repeat(8_000) }
  expect(ringTexts('run_1', [tooLong, { type: 'erased', conversationId: 'a\u00a0b' }])).toEqual([])
})

test('[SCALE11] what is rung in one moment waits once, with the newest head, and no more than ten thousand wait', () => {
  const waiting = createWaitingRings()
  for (const head of [3, 5, 4]) waiting.add({ type: 'grown', conversationId: 'a', head })
  expect(waiting.take()).toEqual([{ type: 'grown', conversationId: 'a', head: 5 }])
  expect(waiting.isEmpty()).toBe(true)
  for (let index = 0; index < 10_500; index += 1) waiting.add({ type: 'draft-kept', conversationId: String(index) })
  const taken = waiting.take()
  expect(taken).toHaveLength(10_000)
  expect(taken.at(-1)).toEqual({ type: 'draft-kept', conversationId: '10499' })
})
