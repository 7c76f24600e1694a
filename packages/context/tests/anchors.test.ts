import {
  type ComposedMessage,
  cacheMarksOf,
  composeRequest,
  extendedRequest,
  nextAnchors,
  validateRequest,
} from '@holdfast/context'
import type { EntryOf } from '@holdfast/conversation'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { OPUS, sourceOf } from './built.ts'
import { arbitraryRunLog } from './run-log.ts'
import { turnOf, write } from './sized-log.ts'

function blocksOf({ message }: ComposedMessage): number {
  if (message.role === 'tool') return 1
  return message.role === 'user' ? message.parts.length : message.blocks.length
}

describe('anchors', () => {
  it('[CACHE1] are four with the one of the system at most, in a valid request, one near the end', () => {
    fc.assert(
      fc.property(arbitraryRunLog, (log) => {
        let anchors: number[] = []
        const steps = log.filter(
          (entry): entry is EntryOf<'step-started'> => entry.type === 'step-started' && entry.purpose === 'turn',
        )
        for (const step of steps) {
          const { request, messages } = composeRequest(sourceOf(log.slice(0, step.seq - 1), step))
          anchors = nextAnchors(messages, anchors)
          const cacheMarks = cacheMarksOf(messages, { mode: 'cached', ttl: '5m', anchors, marksHead: true })
          expect(validateRequest({ ...request, cacheMarks })).toEqual([])
          expect(anchors.length).toBeLessThanOrEqual(3)
          expect(cacheMarks?.messages).toHaveLength(anchors.length)
          expect(cacheMarks?.messages.at(-1)).toBe(messages.length - 1)
        }
      }),
    )
  })

  it('[CACHE2] stay at their entries while the conversation grows, the newest of them', () => {
    const turns = [1, 2, 3, 4, 5].map((number) => turnOf(number, { asked: 1, results: [1], answered: 1 }))
    const anchorsAt = (count: number, before: readonly number[]): number[] =>
      nextAnchors(composeRequest(sourceOf(write(...turns.slice(0, count).flat()), OPUS)).messages, before)
    const first = anchorsAt(1, [])
    const second = anchorsAt(2, first)
    const third = anchorsAt(3, second)
    expect(second).toContain(first.at(-1))
    expect(third).toContain(second.at(-1))
    expect(third).toContain(first.at(-1))
    expect(anchorsAt(4, third)).not.toContain(first.at(-1))
    expect(anchorsAt(1, [999])).toEqual(first)
  })

  it('[CACHE1] are found by looking at each message a few times, however many there are', () => {
    const [own] = composeRequest(sourceOf(write(...turnOf(1, { asked: 1, results: [], answered: 1 })), OPUS)).messages
    if (!own) throw new Error('The request has no message')
    let looks = 0
    const messages = Array.from({ length: 5_000 }, (_, index) => ({
      ...own,
      seqs: [index + 1],
      get message() {
        looks += 1
        return own.message
      },
    }))
    expect(nextAnchors(messages, [4_990, 4_999])).toEqual([4_990, 4_999, 5_000])
    expect(nextAnchors(messages, [10])).toEqual([10, 4_980, 5_000])
    expect(looks).toBeLessThan(2 * messages.length)
  })

  it('[CACHE1] have one within 20 blocks of the end where the last one lies further back', () => {
    const short = composeRequest(sourceOf(write(...turnOf(1, { asked: 1, results: [], answered: 1 })), OPUS)).messages
    const results = Array.from({ length: 40 }, () => 1)
    const long = composeRequest(
      sourceOf(
        write(...turnOf(1, { asked: 1, results: [], answered: 1 }), ...turnOf(2, { asked: 1, results, answered: 1 })),
        OPUS,
      ),
    ).messages
    const anchors = nextAnchors(long, nextAnchors(short, []))
    const marked = cacheMarksOf(long, { mode: 'cached', ttl: '5m', anchors, marksHead: true })?.messages ?? []
    const behind = long.slice((marked.at(-2) ?? 0) + 1).reduce((sum, message) => sum + blocksOf(message), 0)
    expect(marked).toHaveLength(3)
    expect(behind).toBeLessThanOrEqual(20)
    expect(behind).toBeGreaterThan(10)
  })

  it('[CACHE1] are not used beyond what the mode asks for', () => {
    const { messages } = composeRequest(sourceOf(write(...turnOf(1, { asked: 1, results: [], answered: 1 })), OPUS))
    const anchors = nextAnchors(messages, [])
    expect(cacheMarksOf(messages, { mode: 'off', ttl: '5m', anchors, marksHead: true })).toBeNull()
    expect(cacheMarksOf(messages, { mode: 'system', ttl: '1h', anchors, marksHead: true })).toEqual({
      ttl: '1h',
      system: true,
      messages: [],
    })
  })

  it('[CACHE3] of a frozen request are those of the request before, with all bytes before its own words', () => {
    const { request, messages } = composeRequest(
      sourceOf(write(...turnOf(1, { asked: 1, results: [1], answered: 1 })), OPUS),
    )
    const cacheMarks = cacheMarksOf(messages, {
      mode: 'cached',
      ttl: '5m',
      anchors: nextAnchors(messages, []),
      marksHead: true,
    })
    const frozen = extendedRequest({ ...request, cacheMarks }, 'Give it a title')
    expect(frozen.cacheMarks).toEqual(cacheMarks)
    expect(frozen.messages.slice(0, -1)).toEqual(request.messages)
    expect(validateRequest(frozen)).toEqual([])
  })
})
