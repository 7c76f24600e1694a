import { type Draft, type Entry, overview, transcript } from '@holdfast/conversation'
import { expect, test } from 'vitest'
import { type Client, createClient } from '../src/client.ts'
import type { ConversationStore } from '../src/conversation/conversation-store.ts'
import { createWebSocketTransport } from '../src/link/web-socket-transport.ts'
import { type ClientPorts, machinePorts } from '../src/ports.ts'
import { STORM_TOKEN, type StormServer, startStormServer } from './support/storm-server.ts'
import { createStorm, type Storm } from './support/stormy-transport.ts'

const CLIENTS = 20
const CONVERSATIONS = 5
const QUICK = { reconnects: 500, turns: 5, words: 200, restarts: 2 }
const FULL = { reconnects: 2_000, turns: 20, words: 200, restarts: 5 }
const counts = process.env['HOLDFAST_FULL'] === '1' ? FULL : QUICK
const LIMIT_MS = 120_000

/** Waits of the client pass twenty times as fast. */
const hurried: ClientPorts = {
  ...machinePorts,
  clock: { ...machinePorts.clock, after: (delayMs, run) => machinePorts.clock.after(delayMs / 20, run) },
}

/** A generator whose whole sequence follows from its seed. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0
    return state / 4_294_967_296
  }
}

interface Tab {
  readonly client: Client
  readonly storm: Storm
  readonly stores: readonly ConversationStore[]
}

/** What must never be seen, counted. */
const seen = { events: 0, backwards: 0, retold: 0 }

/** A cursor that goes back, or streamed words that change, is what a reader would notice. */
function watch(store: ConversationStore): void {
  let head = 0
  let draft: Draft | null = null
  store.subscribe(() => {
    const next = store.getSnapshot()
    seen.events += 1
    if (next.overview.head < head) seen.backwards += 1
    head = next.overview.head
    for (const [index, block] of (next.draft?.stepId === draft?.stepId ? (draft?.blocks ?? []) : []).entries())
      if (!next.draft?.blocks[index]?.text.startsWith(block.text)) seen.retold += 1
    draft = next.draft
  })
}

function openTab(server: StormServer, ids: readonly string[], random: () => number): Tab {
  const address = { url: server.url, token: STORM_TOKEN }
  const storm = createStorm(createWebSocketTransport(address), random)
  const client = createClient({ ...address, transport: storm.transport, ports: hurried })
  const stores = ids.map((id) => client.conversation(id))
  for (const store of stores) watch(store)
  return { client, storm, stores }
}

async function logOf({ store }: StormServer, conversationId: string): Promise<readonly Entry[]> {
  return (await store.read({ conversationId, after: 0, limit: 5_000 })).entries
}

async function until(isSo: () => Promise<boolean> | boolean): Promise<void> {
  const end = performance.now() + LIMIT_MS / 4
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error('It did not come to be within its time')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

test('[SYNC1, SYNC2] twenty clients in a storm miss nothing, are told nothing twice or out of order, and end as the server', {
  timeout: LIMIT_MS,
}, async () => {
  const seed = Number(process.env['HOLDFAST_SEED'] ?? 1)
  const random = seeded(seed)
  const server = await startStormServer(counts.words)
  const ids: string[] = []
  for (let index = 0; index < CONVERSATIONS; index += 1) ids.push(await server.newConversation(`create_${index}`))
  const tabs = Array.from({ length: CLIENTS }, () => openTab(server, ids, random))
  const pick = <Value>(from: readonly Value[]): Value => {
    const value = from[Math.floor(random() * from.length)]
    if (value === undefined) throw new Error('There is nothing to pick from')
    return value
  }
  const sent: string[] = []
  let breaks = 0
  const breaksOf = Math.ceil(counts.reconnects / (counts.turns * CONVERSATIONS))
  const wantedEvents = counts.reconnects * 80
  // How many deltas a tab is told one by one is the machine's affair: a fast one goes on for a few turns more.
  const isEnough = (turn: number) => turn >= counts.turns && (seen.events >= wantedEvents || turn >= counts.turns * 4)
  for (let turn = 0; !isEnough(turn); turn += 1) {
    for (const [index] of ids.entries()) {
      const store = pick(tabs).stores[index]
      if (store) sent.push(store.send([{ type: 'text', text: `turn ${turn}` }], 'turn'))
      for (let count = 0; count < breaksOf; count += 1) {
        pick(tabs).storm.breakLine()
        breaks += 1
        if (count % 2 === 0) await new Promise((resolve) => setTimeout(resolve, 2))
      }
    }
    if (turn % Math.ceil(counts.turns / counts.restarts) === 1) await server.restart()
  }

  for (const { storm } of tabs) storm.calm()
  const isQuiet = async (): Promise<boolean> => {
    const states = await Promise.all(ids.map((id) => server.store.readListing(id)))
    for (const [index, state] of states.entries()) {
      if (state?.state === 'queue-held') tabs[0]?.stores[index]?.releaseQueue()
    }
    const outbox = tabs.flatMap(({ stores }) => stores).flatMap((store) => store.getSnapshot().outbox)
    return outbox.length === 0 && states.every((state) => state?.state !== 'running' && state?.queuedCount === 0)
  }
  await until(isQuiet)
  for (const [index, id] of ids.entries()) {
    const log = await logOf(server, id)
    const folded = overview.reduce(overview.initial, log)
    const { items } = transcript.reduce(transcript.initial, log)
    await until(() => tabs.every(({ stores }) => stores[index]?.getSnapshot().overview.head === folded.head))
    for (const { stores } of tabs) {
      const state = stores[index]?.getSnapshot()
      expect(state?.overview, `seed ${seed}`).toEqual(folded)
      const from = state?.window.firstSeq ?? 1
      expect(state?.window.items, `seed ${seed}`).toEqual(items.filter(({ seq }) => seq >= from))
      expect(state).toMatchObject({ draft: null, gap: false, outbox: [], refused: [] })
    }
  }
  const admitted = (await Promise.all(ids.map((id) => logOf(server, id))))
    .flat()
    .flatMap((entry) => (entry.type === 'input-admitted' ? [entry.commandId] : []))
  expect(admitted.toSorted()).toEqual(sent.toSorted())
  expect({ backwards: seen.backwards, retold: seen.retold }).toEqual({ backwards: 0, retold: 0 })
  expect(breaks).toBeGreaterThanOrEqual(counts.reconnects)
  expect(seen.events).toBeGreaterThanOrEqual(wantedEvents)
  if (counts === FULL) console.log(JSON.stringify({ seed, breaks, events: seen.events }))
  for (const { client } of tabs) client.close()
  await server.close()
})
