import type { NewEntry } from '@holdfast/conversation'
import { conversationCreated } from '@holdfast/conversation/testing'
import { systemClock, systemIds } from '@holdfast/engine/system'
import type { ModelPart, ModelPort } from '@holdfast/provider'
import { defineTool, type Tool } from '@holdfast/tool'
import * as z from 'zod'
import { type Benchmark, type Figure, median, quantile, timeMs } from '../lib/measure.ts'
import { inTemporaryFolder, withSqliteStore } from '../lib/stores.ts'
import { type OpenedEngine, OWNER_ID, openEngine } from './open-engine.ts'

const person = { type: 'person', userId: OWNER_ID } as const
const ROUNDS = process.env['HOLDFAST_FULL'] === '1' ? 200 : 50
/** Rounds until the code is compiled. */
const WARM_UP = 10

/** How long a call that was asked for waits after the person's yes. */
export const permission: Benchmark = {
  name: 'permission',
  about: `from a person's yes until the call runs, ${ROUNDS} times, each in a conversation that waited parked; on the disk, beside two bare appends with their syncs`,
  async run(report) {
    const ran = await answeredMs()
    const bare = await twoAppendsMs()
    report(`a yes: median ${median(ran).toFixed(2)} ms, 99 % within ${quantile(ran, 0.99).toFixed(2)} ms`)
    report(`two appends: median ${median(bare).toFixed(2)} ms, 99 % within ${quantile(bare, 0.99).toFixed(2)} ms`)
    const [value, baseline] = [median(ran), median(bare)]
    const goal = 'at most 10 ms at the median'
    const figure: Figure = {
      name: 'permission',
      value,
      unit: 'ms',
      baseline,
      ratio: value / baseline,
      goal,
      met: value <= 10,
    }
    return [figure]
  },
}

/** Lets a call ask, waits until its run is parked, says yes, and takes the time until the tool runs. */
function answeredMs(): Promise<readonly number[]> {
  return inTemporaryFolder(async (folder) => {
    const calls = new Map<string, PromiseWithResolvers<number>>()
    const opened = await openEngine({ folder, port: askingModel(), toolsOf: (id) => [writingTool(calls, id)] })
    const times: number[] = []
    try {
      for (let round = 0; round < WARM_UP + ROUNDS; round += 1) times.push(await oneYes(opened, calls, round))
      if (opened.faults.length > 0) throw new Error(`A run had a fault: ${String(opened.faults[0])}`)
    } finally {
      await opened.close()
    }
    return times.slice(WARM_UP)
  })
}

async function oneYes(
  { engine, bus }: OpenedEngine,
  calls: Map<string, PromiseWithResolvers<number>>,
  round: number,
): Promise<number> {
  const created = { commandId: `create_${round}`, actor: person, ownerId: OWNER_ID, title: 'Asks', modelId: null }
  const { conversationId } = await engine.createConversation(created)
  const ran = Promise.withResolvers<number>()
  calls.set(conversationId, ran)
  const asked = Promise.withResolvers<string>()
  const ended = Promise.withResolvers<void>()
  const unsubscribe = bus.subscribe(conversationId, (message) => {
    if (message.type !== 'entries') return
    for (const entry of message.entries) {
      if (entry.type === 'permission-requested') asked.resolve(entry.requestId)
      if (entry.type === 'run-finished') ended.resolve()
    }
  })
  try {
    const content = [{ type: 'text' as const, text: 'Write it down' }]
    await engine.sendMessage({ commandId: `send_${round}`, actor: person, conversationId, content, lane: 'turn' })
    const requestId = await asked.promise
    await new Promise((resolve) => setTimeout(resolve, PARKED_MS))
    const saidAt = performance.now()
    const yes = { requestId, decision: 'allow', scope: 'call' } as const
    await engine.answerPermission({ commandId: `yes_${round}`, actor: person, conversationId, ...yes })
    const ranAt = await ran.promise
    await ended.promise
    return ranAt - saidAt
  } finally {
    unsubscribe()
  }
}

/** After this a run that asks has given its lease back and sleeps, in milliseconds. */
const PARKED_MS = 50

function writingTool(calls: ReadonlyMap<string, PromiseWithResolvers<number>>, conversationId: string): Tool {
  return defineTool({
    name: 'write_note',
    description: 'Writes a note.',
    input: z.object({ note: z.string().max(2_000) }),
    category: 'other',
    annotations: { destructive: false, openWorld: false },
    argumentRoles: { note: 'plain' },
    run({ note }) {
      calls.get(conversationId)?.resolve(performance.now())
      return `${note.length} letters`
    },
  })
}

/** A model that asks to write one note, and then ends. */
function askingModel(): ModelPort {
  return {
    providerId: 'scripted',
    async stream({ messages }, { onPart }) {
      const isWritten = messages.some(({ role }) => role === 'tool')
      for (const part of isWritten ? FAREWELL : CALL) await onPart(part)
    },
  }
}

const CALL: readonly ModelPart[] = [
  { type: 'block-started', block: 0, start: { type: 'tool-call', callId: 'call_1', name: 'write_note' } },
  { type: 'block-delta', block: 0, text: JSON.stringify({ note: 'n'.repeat(200) }) },
  { type: 'block-ended', block: 0 },
  { type: 'finish', finish: 'tool-calls' },
]

const FAREWELL: readonly ModelPart[] = [
  { type: 'block-started', block: 0, start: { type: 'text' } },
  { type: 'block-delta', block: 0, text: 'Written.' },
  { type: 'block-ended', block: 0 },
  { type: 'finish', finish: 'end' },
]

/** What must be durable before the call runs, and nothing else: the yes, and the intent. */
function twoAppendsMs(): Promise<readonly number[]> {
  return withSqliteStore(async (store) => {
    const conversationId = systemIds.next('conversation')
    const title = { type: 'title-changed', actor: person, title: 'Bare', source: 'user' } as const
    const times: number[] = []
    let head = 0
    const append = async (entry: NewEntry): Promise<void> => {
      const { entries } = await store.append({ conversationId, after: head, entries: [entry], at: systemClock.now() })
      head = entries.at(-1)?.seq ?? head
    }
    await append(conversationCreated(OWNER_ID))
    for (let round = 0; round < WARM_UP + ROUNDS; round += 1)
      times.push(
        await timeMs(async () => {
          await append(title)
          await append(title)
        }),
      )
    return times.slice(WARM_UP)
  })
}
