import { type Json, overview } from '@holdfast/conversation'
import type { FactMoment } from '@holdfast/engine'
import type { RepositoryMap } from '@holdfast/repository-map'
import { expect, it } from 'vitest'
import type { FolderMapWish } from '../src/folder-maps.ts'
import { changedShare, createMapFact } from '../src/map-fact.ts'
import { createMapTool } from '../src/map-tool.ts'

const lines = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => `src/file-${from + index}.ts`).join('\n')

function open(mapTokens: number | undefined) {
  const wishes: FolderMapWish[] = []
  let map: RepositoryMap | null = null
  const maps = {
    async draw(wish: FolderMapWish) {
      wishes.push(wish)
      return map
    },
  }
  const state = { ...overview.initial, ownerId: 'user_1', settings: mapTokens === undefined ? {} : { mapTokens } }
  const fact = createMapFact(maps, undefined)
  const at = (noted: string | null, stepCount = 0): FactMoment => ({
    conversationId: 'conversation_1',
    state,
    now: 0,
    stepCount,
    noted: noted === null ? null : { text: noted, at: 0 },
    question: 'Change the price',
    tokensOf: (text) => text.length,
    signal: AbortSignal.timeout(5_000),
  })
  return {
    wishes,
    maps,
    textNow: (noted: string | null, stepCount = 0) => fact.textNow(at(noted, stepCount)),
    shows(text: string | null) {
      map =
        text === null
          ? null
          : {
              text,
              tokens: 1,
              shownCount: 1,
              fileCount: 1,
              unreadCount: 0,
              hasMore: false,
              topPaths: [],
              parsedCount: 0,
            }
    },
  }
}

it('[MAP1, REQ6] is told where a setting gives it room, about what is asked, within that room', async () => {
  const off = open(undefined)
  off.shows(lines(0, 20))
  expect(await off.textNow(null)).toBeNull()
  expect(off.wishes).toEqual([])
  const on = open(1_000)
  on.shows(lines(0, 20))
  expect(await on.textNow(null)).toBe(lines(0, 20))
  expect(on.wishes).toMatchObject([
    { focus: 'Change the price', page: 1, reader: { conversationId: 'conversation_1', ownerId: 'user_1' } },
  ])
  expect(on.wishes[0]?.budgetTokens).toBeLessThan(1_000)
})

it('[MAP1] is told again when more than a tenth of its lines would change, and never within a turn', async () => {
  const { shows, textNow, wishes } = open(1_000)
  const told = lines(0, 20)
  shows(lines(1, 21))
  expect(await textNow(told)).toBe(told)
  shows(lines(3, 23))
  expect(await textNow(told)).toBe(lines(3, 23))
  const before = wishes.length
  expect(await textNow(told, 1)).toBe(told)
  expect(wishes).toHaveLength(before)
  // What could not be drawn now still stands as it was.
  shows(null)
  expect(await textNow(told)).toBe(told)
  expect(await textNow(null)).toBeNull()
  expect(changedShare('a\nb', 'a\nb')).toBe(0)
  expect(changedShare('a\nb', 'a\nc')).toBe(0.5)
})

it('[TOOL17] shows a page for a focus, says when there is another, and fails in words', async () => {
  const { maps, shows, wishes } = open(undefined)
  const tool = createMapTool(maps, {
    conversationId: 'conversation_1',
    ownerId: 'user_1',
    settings: { workspaceId: 'w' },
  })
  const context = { signal: AbortSignal.timeout(5_000) } as Parameters<typeof tool.run>[1]
  const run = async (input: Json) => tool.run(input, context)
  expect(await run({})).toMatchObject({ isError: true })
  shows('a.ts')
  expect(await run({ focus: 'price', page: 2 })).toEqual({ content: [{ type: 'text', text: 'a.ts' }], isError: false })
  expect(wishes.at(-1)).toMatchObject({ focus: 'price', page: 2, settings: { workspaceId: 'w' } })
  shows('')
  expect(await run({ page: 3 })).toMatchObject({ content: [{ text: 'There is no page 3.' }] })
})
