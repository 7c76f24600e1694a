import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beginFollow, type ConversationState, initialState, reduceFrame } from '@holdfast/client'
import {
  type CanvasWish,
  canvases,
  canvasOf,
  type Entry,
  type EntryStore,
  type Json,
  overview,
} from '@holdfast/conversation'
import { createSeededRandom } from '@holdfast/conversation/testing'
import { CanvasRefusedError, type Engine, readOverview } from '@holdfast/engine'
import { systemClock } from '@holdfast/engine/system'
import { createMemoryStore } from '@holdfast/store/memory'
import { createPostgresStore } from '@holdfast/store/postgres'
import { createSqliteStore } from '@holdfast/store/sqlite'
import { afterEach, describe, expect, it } from 'vitest'
import { startPostgres } from './support/postgres.ts'
import { type OpenedStore, openSystemEngine } from './support/system-engine.ts'

const COUNT = process.env['HOLDFAST_FULL'] === '1' ? 10_000 : 1_000
const SEED = 20_261_121
/** A database on a busy machine takes its time. */
const LIMIT_MS = 60_000 + COUNT * 100
const CLIENTS = 4
const person = { type: 'person', userId: 'user_1' } as const

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

async function openSqlite(): Promise<OpenedStore> {
  const dataDir = await mkdtemp(join(tmpdir(), 'holdfast-canvas-'))
  const { store, records, close } = await createSqliteStore({ dataDir, clock: systemClock, onDamage: () => {} })
  closers.push(async () => {
    await close()
    await rm(dataDir, { recursive: true })
  })
  return { store, records }
}

async function openPostgres(): Promise<OpenedStore> {
  const server = await startPostgres()
  closers.push(() => server.stop())
  const { store, records, close } = await createPostgresStore({
    connectionString: server.url,
    clock: systemClock,
    poolSize: CLIENTS,
  })
  closers.unshift(close)
  return { store, records }
}

async function openEngine(opened: OpenedStore): Promise<{ engine: Engine; conversationId: string }> {
  const engine = openSystemEngine(opened, { models: () => [], holder: 'process', onFault: () => {} })
  const create = { commandId: 'create', actor: person, ownerId: 'user_1', title: null, modelId: null }
  const { conversationId } = await engine.createConversation(create)
  return { engine, conversationId }
}

/** A tab: it follows the log over a line that loses, repeats and breaks off, and acts on what it sees. */
function createTab(store: EntryStore, conversationId: string, random: () => number) {
  let state: ConversationState = beginFollow(initialState(conversationId), 'new')
  let cursor = 0

  async function entriesAfter(after: number): Promise<readonly Entry[]> {
    return (await store.read({ conversationId, after, limit: 40 })).entries
  }

  async function follow(): Promise<void> {
    state = beginFollow(state, 'same')
    cursor = state.overview.head
    // A long log opens with its overview, as the server sends it.
    if (cursor === 0 && random() < 0.5) {
      const known = (await readOverview(store, conversationId)).state
      const sent = JSON.parse(JSON.stringify(known))
      state = reduceFrame(state, { type: 'overview', conversationId, overview: sent, from: known.head + 1 })
      cursor = known.head
    }
  }

  return {
    state: () => state,
    /** Takes the next frames of the line, some of them lost, twice or late. */
    async hear(): Promise<void> {
      const fate = random()
      if (fate < 0.04) state = beginFollow(initialState(conversationId), 'new')
      if (fate < 0.1 || state.gap) return follow()
      // What is sent again comes with what is new.
      const entries = await entriesAfter(fate < 0.3 ? Math.max(0, cursor - 10) : cursor)
      cursor = Math.max(cursor, entries.at(-1)?.seq ?? 0)
      if (fate >= 0.2) state = reduceFrame(state, { type: 'entries', conversationId, entries: [...entries] })
    },
    async heal(): Promise<void> {
      await follow()
      for (;;) {
        const entries = await entriesAfter(state.overview.head)
        if (entries.length === 0) break
        state = reduceFrame(state, { type: 'entries', conversationId, entries: [...entries] })
      }
    },
  }
}

/** What a person or an agent may do, with what a tab shows: often it is not so any more. */
function wishFrom(random: () => number, { overview: { canvases: shown } }: ConversationState): CanvasWish {
  const { elements } = canvasOf(shown, undefined)
  const element = elements[Math.floor(random() * elements.length)]
  const elementId = element?.id ?? 'card-1'
  const contents: readonly Json[] = [
    { type: 'card', title: 'Card', body: 'x'.repeat(Math.floor(random() * 200)) },
    { type: 'checklist', title: 'List', items: [{ id: 'a', text: 'First' }] },
    { type: 'confirmation', title: 'Yes?', choices: [{ id: 'yes', label: 'Yes' }] },
    { type: 'gauge', title: 'No such kind' },
  ]
  const wishes: readonly CanvasWish[] = [
    { type: 'add', content: contents[Math.floor(random() * contents.length)] ?? null },
    { type: 'add', content: contents[0] ?? null },
    { type: 'update', elementId, fields: { title: `Title ${Math.floor(random() * 1_000)}` } },
    { type: 'check', elementId, itemId: 'a', checked: random() < 0.5 },
    { type: 'answer', elementId, value: 'yes' },
    { type: 'pin', elementId, pinned: random() < 0.5 },
    { type: 'remove', elementId },
    random() < 0.1 ? { type: 'clear' } : { type: 'restore' },
    { type: 'set-theme', theme: 'green' },
    { type: 'notify', text: 'Look', tone: 'neutral' },
  ]
  return wishes[Math.floor(random() * wishes.length)] ?? { type: 'clear' }
}

const stores: readonly (readonly [string, () => Promise<OpenedStore>])[] = [
  ['memory', async () => createMemoryStore({ clock: systemClock })],
  ['SQLite', openSqlite],
  ['PostgreSQL', openPostgres],
]

describe.each(stores)('four tabs on one canvas, %s', { retry: 0 }, (_name, open) => {
  it(
    `[CANVAS1, CANVAS2, PRJ3] come to the server's state, value for value, whatever the line does (seed ${SEED})`,
    async () => {
      const random = createSeededRandom(SEED).next
      const opened = await open()
      const { engine, conversationId } = await openEngine(opened)
      closers.unshift(() => engine.close())
      const tabs = Array.from({ length: CLIENTS }, () => createTab(opened.store, conversationId, random))
      let refused = 0
      for (let done = 0; done < COUNT; done += CLIENTS) {
        const asked = tabs.map(async (tab, index) => {
          const wish = wishFrom(random, tab.state())
          const command = { commandId: `act-${done + index}`, actor: person, conversationId, wish }
          try {
            await engine.changeCanvas(command)
          } catch (error) {
            if (!(error instanceof CanvasRefusedError)) throw error
            refused += 1
          }
        })
        await Promise.all(asked)
        for (const tab of tabs) await tab.hear()
      }
      await Promise.all(tabs.map((tab) => tab.heal()))
      const log: Entry[] = []
      for (let page = await read(opened, log); page.length > 0; page = await read(opened, log)) log.push(...page)
      const folded = canvases.reduce(canvases.initial, log)
      expect(canvasOf(folded, undefined).version).toBe(COUNT - refused)
      expect(refused).toBeGreaterThan(COUNT / 20)
      expect((await readOverview(opened.store, conversationId)).state.canvases).toEqual(folded)
      expect(overview.reduce(overview.initial, log).canvases).toEqual(folded)
      for (const tab of tabs) expect(tab.state().overview.canvases).toEqual(folded)

      async function read({ store }: OpenedStore, known: readonly Entry[]): Promise<readonly Entry[]> {
        return (await store.read({ conversationId, after: known.at(-1)?.seq ?? 0, limit: 500 })).entries
      }
    },
    LIMIT_MS,
  )
})
