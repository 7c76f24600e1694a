import { type EntryLog, entriesAfter, entriesBefore } from '@holdfast/conversation'
import { conversationCreated, logOf, titleChanged } from '@holdfast/conversation/testing'
import { describe, expect, it } from 'vitest'

const LENGTH = 7
const about = { conversationId: 'a', pageEntries: 3 }

/** A log of seven entries that says which pages were read. */
function pagedLog(): { readonly log: Pick<EntryLog, 'read'>; readonly asked: string[] } {
  const entries = logOf('a', [
    conversationCreated('user_1'),
    ...Array.from({ length: LENGTH - 1 }, () => titleChanged('words', 'auto')),
  ])
  const asked: string[] = []
  return {
    asked,
    log: {
      async read({ after, before, limit }) {
        asked.push(`${after === undefined ? `before ${before}` : `after ${after}`}: ${limit}`)
        const end = Math.min(before ?? LENGTH + 1, LENGTH + 1)
        const first = after ?? Math.max(0, end - 1 - limit)
        return { entries: entries.slice(first, after === undefined ? end - 1 : after + limit), head: LENGTH }
      },
    },
  }
}

async function seqsOf(pages: ReturnType<typeof entriesAfter>): Promise<number[][]> {
  const seqs: number[][] = []
  for await (const { entries } of pages) seqs.push(entries.map(({ seq }) => seq))
  return seqs
}

describe('a log is read page by page', () => {
  it('[LOG5] forward to its head, and no further', async () => {
    const { log, asked } = pagedLog()
    expect(await seqsOf(entriesAfter(log, { ...about, after: 1 }))).toEqual([
      [2, 3, 4],
      [5, 6, 7],
    ])
    expect(asked).toEqual(['after 1: 3', 'after 4: 3'])
  })

  it('[LOG5] forward up to a place', async () => {
    const { log, asked } = pagedLog()
    expect(await seqsOf(entriesAfter(log, { ...about, after: 0, to: 5 }))).toEqual([
      [1, 2, 3],
      [4, 5],
    ])
    expect(asked).toEqual(['after 0: 3', 'after 3: 2'])
  })

  it('[LOG5] forward from its end, which is one page without entries', async () => {
    const { log } = pagedLog()
    expect(await seqsOf(entriesAfter(log, { ...about, after: LENGTH }))).toEqual([[]])
    expect(await seqsOf(entriesAfter(log, { ...about, after: LENGTH, to: LENGTH }))).toEqual([])
  })

  it('[LOG5] backward to its beginning, the newest page first', async () => {
    const { log } = pagedLog()
    const pages = entriesBefore(log, { ...about, before: Number.MAX_SAFE_INTEGER })
    expect(await seqsOf(pages)).toEqual([[5, 6, 7], [2, 3, 4], [1]])
  })

  it('[LOG5] backward down to a place', async () => {
    const { log, asked } = pagedLog()
    expect(await seqsOf(entriesBefore(log, { ...about, before: 7, from: 3 }))).toEqual([[4, 5, 6], [3]])
    expect(asked).toEqual(['before 7: 3', 'before 4: 1'])
  })

  it.each([
    [
      'forward',
      (log: Pick<EntryLog, 'read'>, signal: AbortSignal) => entriesAfter(log, { ...about, after: 0, signal }),
    ],
    [
      'backward',
      (log: Pick<EntryLog, 'read'>, signal: AbortSignal) => entriesBefore(log, { ...about, before: 8, signal }),
    ],
  ])('[LOG5] %s until the signal fires', async (_, read) => {
    const { log, asked } = pagedLog()
    const controller = new AbortController()
    const pages = read(log, controller.signal)
    await pages.next()
    controller.abort(new Error('enough'))
    await expect(pages.next()).rejects.toThrow('enough')
    expect(asked).toHaveLength(1)
  })
})
