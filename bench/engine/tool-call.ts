import { createEngineOn, createInProcessBus, type EnginePorts } from '@holdfast/engine'
import { sha256, sha256Both, systemClock, systemIds, systemRandom } from '@holdfast/engine/system'
import { freePrice, type ModelPart, type ModelPort, UNKNOWN_MODEL, withOverride } from '@holdfast/provider'
import { createMemoryStore } from '@holdfast/store/memory'
import { createPermissionRules, defineTool, type Tool } from '@holdfast/tool'
import * as z from 'zod'
import { until } from '../../tests/states/until.ts'
import { type Benchmark, type Figure, median, quantile } from '../lib/measure.ts'
import { fillConversation, withSqliteStore } from '../lib/stores.ts'

const OWNER_ID = 'user_1'
const person = { type: 'person', userId: OWNER_ID } as const
const CALLS_PER_STEP = 25
const STEPS = 40
/** Calls until the code is compiled. */
const WARM_UP_CALLS = 250
const HISTORY_ENTRIES = 2_000

/** One note to read; calls have effects, so that they run one after the other. */
const Input = z.object({ path: z.string(), note: z.string().max(2_000) })
const readNote = ({ path, note }: z.output<typeof Input>): string => `${path}: ${note.length} letters`
const inputAt = (number: number) => ({ path: `notes/${number}.txt`, note: 'n'.repeat(200) })

/** When a call of the tool began and ended, in milliseconds, and what the process had used of a processor then. */
interface CallTimes {
  readonly beganAt: number
  readonly endedAt: number
  readonly usedMs: number
}

/** What lies between two calls of one step. */
interface Gap {
  readonly wallMs: number
  readonly processorMs: number
}

/** What the engine adds to a call: it is read, checked, permitted, written down, run, bounded and settled. */
export const toolCall: Benchmark = {
  name: 'tool-call',
  about: `from the end of one tool call to the beginning of the next in the same step, ${CALLS_PER_STEP} calls in each of ${STEPS} steps, without the disk's sync; beside calling the function in a loop`,
  async run(report) {
    const memory = createMemoryStore({ clock: systemClock })
    const fresh = await gapsOf(memory, 0)
    report(`a new conversation, in memory: ${inWords(fresh)}`)
    const longMemory = createMemoryStore({ clock: systemClock })
    const long = await gapsOf(longMemory, HISTORY_ENTRIES)
    report(`after ${HISTORY_ENTRIES} entries, in memory: ${inWords(long)}`)
    const synced = await withSqliteStore((store) => gapsOf({ store, records: null }, 0))
    report(`a new conversation, on the disk with two syncs a call: ${inWords(synced)}`)
    const direct = directGaps()
    report(`the function in a loop: ${inWords(direct)}`)
    return [
      figure('tool-call: what the engine adds', fresh, direct),
      figure(`tool-call: the same after ${HISTORY_ENTRIES} entries`, long, direct),
    ]
  },
}

function figure(name: string, gaps: readonly Gap[], direct: readonly Gap[]): Figure {
  const baseline = median(direct.map(({ wallMs }) => wallMs))
  const value = median(gaps.map(({ wallMs }) => wallMs))
  const ratio = value / baseline
  return { name, value, unit: 'ms', baseline, ratio, goal: 'at most 1 ms at the median', met: value - baseline <= 1 }
}

function inWords(gaps: readonly Gap[]): string {
  const wallMs = gaps.map((gap) => gap.wallMs)
  const used = gaps.reduce((sum, { processorMs }) => sum + processorMs, 0) / gaps.length
  return [
    `median ${median(wallMs).toPrecision(3)} ms`,
    `95 % within ${quantile(wallMs, 0.95).toPrecision(3)} ms`,
    `${used.toPrecision(3)} ms of a processor`,
    `${gaps.length} calls`,
  ].join(', ')
}

/** The same calls without an engine. */
function directGaps(): readonly Gap[] {
  const times: CallTimes[] = []
  for (let number = 0; number < CALLS_PER_STEP * STEPS; number++) {
    const beganAt = performance.now()
    readNote(Input.parse(inputAt(number)))
    times.push({ beganAt, endedAt: performance.now(), usedMs: usedMs() })
  }
  return gapsBetween(times).slice(WARM_UP_CALLS)
}

/** Runs one turn of many steps of many calls, and gives the gaps between the calls of a step. */
async function gapsOf(
  { store, records }: Pick<EnginePorts, 'store' | 'records'>,
  historyEntries: number,
): Promise<readonly Gap[]> {
  const times: CallTimes[] = []
  const facts = withOverride(UNKNOWN_MODEL, { price: freePrice('local'), contextWindowTokens: 200_000 })
  const ports: EnginePorts = {
    store,
    records,
    bus: createInProcessBus(),
    sha256,
    sha256Both,
    clock: systemClock,
    ids: systemIds,
    random: systemRandom,
    models: () => [{ modelId: 'scripted', providerModelId: 'scripted', name: 'Scripted', port: callingModel(), facts }],
    toolsOf: () => [timedTool(times)],
    permissions: createPermissionRules({ defaultPolicy: 'ask', rules: [{ effect: 'allow', tool: 'read_note' }] })
      .policy,
    holder: systemIds.next('run'),
  }
  const faults: unknown[] = []
  const engine = createEngineOn(ports, { onFault: ({ error }) => faults.push(error) })
  try {
    const conversationId = engine.conversationIdFor(OWNER_ID, 'create')
    if (historyEntries > 0) await fillConversation(store, conversationId, historyEntries)
    else
      await engine.createConversation({
        commandId: 'create',
        actor: person,
        ownerId: OWNER_ID,
        title: null,
        modelId: null,
      })
    const content = [{ type: 'text' as const, text: 'Read them all' }]
    await engine.sendMessage({ commandId: 'send', actor: person, conversationId, content, lane: 'turn' })
    const end = await until('the turn has ended', async () => {
      const { entries } = await store.read({ conversationId, before: Number.MAX_SAFE_INTEGER, limit: 1 })
      const last = entries[0]
      return last?.type === 'run-finished' && times.length > 0 ? last : null
    })
    if (end.outcome !== 'completed' || faults.length > 0 || times.length !== CALLS_PER_STEP * STEPS)
      throw new Error(
        `The turn ended as ${end.outcome} after ${times.length} calls: ${end.reason ?? String(faults[0])}`,
      )
  } finally {
    await engine.close()
  }
  return gapsBetween(times).slice(WARM_UP_CALLS)
}

function timedTool(times: CallTimes[]): Tool {
  return defineTool({
    name: 'read_note',
    description: 'Reads a note.',
    input: Input,
    category: 'other',
    annotations: { destructive: false, openWorld: false },
    argumentRoles: { path: 'path', note: 'plain' },
    run: (input) => {
      const beganAt = performance.now()
      const said = readNote(input)
      times.push({ beganAt, endedAt: performance.now(), usedMs: usedMs() })
      return said
    },
  })
}

/** Processor time of the whole process so far, with that of the collector. */
function usedMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

/** From the end of each call to the beginning of the next one of its step. */
function gapsBetween(times: readonly CallTimes[]): readonly Gap[] {
  return times.flatMap((call, number) => {
    const before = times[number - 1]
    if (before === undefined || number % CALLS_PER_STEP === 0) return []
    return [{ wallMs: call.beganAt - before.endedAt, processorMs: call.usedMs - before.usedMs }]
  })
}

/** A model that asks for notes step by step, none twice, and then ends. */
function callingModel(): ModelPort {
  return {
    providerId: 'scripted',
    async stream({ messages }, { onPart }) {
      const made = messages.filter(({ role }) => role === 'tool').length
      for (const part of made < CALLS_PER_STEP * STEPS ? callsFrom(made) : FAREWELL) await onPart(part)
    },
  }
}

const FAREWELL: readonly ModelPart[] = [
  { type: 'block-started', block: 0, start: { type: 'text' } },
  { type: 'block-delta', block: 0, text: 'All read.' },
  { type: 'block-ended', block: 0 },
  { type: 'finish', finish: 'end' },
]

function callsFrom(first: number): readonly ModelPart[] {
  const blocks = Array.from({ length: CALLS_PER_STEP }, (_, block): readonly ModelPart[] => [
    { type: 'block-started', block, start: { type: 'tool-call', callId: `call_${first + block}`, name: 'read_note' } },
    { type: 'block-delta', block, text: JSON.stringify(inputAt(first + block)) },
    { type: 'block-ended', block },
  ])
  return [...blocks.flat(), { type: 'finish', finish: 'tool-calls' }]
}
