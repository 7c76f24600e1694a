import { crc32 } from 'node:zlib'
import type { EntryStore } from '@holdfast/conversation'
import { conversationCreated, inputAdmitted } from '@holdfast/conversation/testing'
import { createPostgresStore } from '@holdfast/store/postgres'
import { type Benchmark, type Figure, median, quantile, timeMs } from '../lib/measure.ts'
import { type BenchServer, withPostgresServer } from '../lib/postgres-server.ts'
import { systemClock } from '../lib/stores.ts'

const FEW = 10_000
const MANY = Number(
  process.env['HOLDFAST_ENTRIES'] ?? (process.env['HOLDFAST_FULL'] === undefined ? 2_000_000 : 50_000_000),
)
/** 50,000,000 entries are 1,000,000 conversations. */
const ENTRIES_OF_EACH = 50
/** What a page of the list asks for. */
const LISTED = 50
const ROUNDS = 400
const TAIL = 50

const MODEL_ID = modelIdOf(0)

/** Appending to and reading the end of random logs among few entries and among very many. */
export const scaleLog: Benchmark = {
  name: 'scale-log',
  about: `PostgreSQL with ${MANY.toLocaleString('en')} small entries, beside one with ${FEW.toLocaleString('en')}: one entry appended to, and the last ${TAIL} read of, a log chosen by chance, and the first page of the list of who has them all`,
  run: (report) =>
    withPostgresServer(async (server) => {
      const few = await filled(server, { name: 'few', entryCount: FEW }, report)
      const many = await filled(server, { name: 'many', entryCount: MANY }, report)
      try {
        const appends = await inPairs(few, many, appendOne)
        const tails = await inPairs(few, many, readTail)
        const lists = await inPairs(few, many, readList)
        return [
          ...figures('append of one entry', appends),
          ...figures(`last ${TAIL} entries`, tails),
          listFigure(lists),
          ...(await draftFigures(server, report, few.store)),
        ]
      } finally {
        await few.store.close()
        await many.store.close()
      }
    }),
}

interface Filled {
  readonly store: EntryStore
  readonly conversationCount: number
  readonly heads: Map<string, number>
}

/** A store that has written one log, which is then copied to as many as are wanted. */
async function filled(
  server: BenchServer,
  { name, entryCount }: { readonly name: string; readonly entryCount: number },
  report: (line: string) => void,
): Promise<Filled> {
  const connectionString = server.createDatabase(name)
  const { store } = await createPostgresStore({ connectionString, clock: systemClock, poolSize: 4 })
  const model = await writeModel(store)
  const conversationCount = Math.floor(entryCount / ENTRIES_OF_EACH)
  const listing = server.run(name, [
    'COPY (SELECT owner_id, head, archived, updated_at, listing_version, listing_shown, listing_state FROM holdfast.conversations) TO STDOUT',
  ])
  const loadMs = await timeMs(async () => {
    await server.copy({ database: name, table: 'holdfast.conversations' }, conversationRows(listing, conversationCount))
    const columns = '(conversation_id, seq, is_checkpoint, checksum, body)'
    await server.copy({ database: name, table: `holdfast.entries ${columns}` }, entryRows(model, conversationCount))
  })
  server.run(name, ['VACUUM ANALYZE holdfast.entries', 'VACUUM ANALYZE holdfast.conversations', 'CHECKPOINT'])
  const size = server.run(name, [`SELECT pg_size_pretty(pg_total_relation_size('holdfast.entries'))`])
  const seconds = (loadMs / 1_000).toFixed(0)
  const bytes = server.run(name, ['SELECT round(avg(octet_length(body))) FROM holdfast.entries TABLESAMPLE SYSTEM (1)'])
  const whole = server.run(name, [`SELECT pg_size_pretty(pg_database_size('${name}'))`])
  report(
    `${name}: ${entryCount.toLocaleString('en')} entries of ${bytes} bytes in ${conversationCount.toLocaleString('en')} conversations copied in ${seconds} s, ${size} with the index, ${whole} in all`,
  )
  return { store, conversationCount, heads: new Map() }
}

/** The bodies of a log as the store wrote them. */
async function writeModel(store: EntryStore): Promise<readonly string[]> {
  const entries = [
    conversationCreated('user_1'),
    ...Array.from({ length: ENTRIES_OF_EACH - 1 }, (_, number) => inputAdmitted(`input_${number}`, 'words')),
  ]
  const appended = await store.append({ conversationId: MODEL_ID, after: 0, entries, at: 1_000 })
  return appended.entries.map((entry) => JSON.stringify(entry))
}

/** The id of a log, as long as every other, so that the bytes of a log do not depend on its number. */
function modelIdOf(number: number): string {
  return `conversation_${String(number).padStart(9, '0')}`
}

function* conversationRows(listing: string, count: number): Generator<string> {
  const [ownerId = '', head = '', archived = '', updatedAt = '', version = '', shown = '', state = ''] =
    listing.split('\t')
  for (let number = 1; number < count; number++) {
    const id = modelIdOf(number)
    const [ownShown, ownState] = [shown, state].map((text) => text.replaceAll(MODEL_ID, id))
    const parts = [id, ownerId, head, version, unescaped(ownShown ?? ''), unescaped(ownState ?? '')]
    const checksum = crc32(`${parts.join('\n')}\n`)
    yield [id, ownerId, head, archived, updatedAt, version, ownShown, ownState, checksum].join('\t')
  }
}

function* entryRows(model: readonly string[], count: number): Generator<string> {
  for (let number = 1; number < count; number++) {
    const id = modelIdOf(number)
    for (const [index, body] of model.entries()) {
      const own = body.replaceAll(MODEL_ID, id)
      const checksum = crc32(own, crc32(`${id}\n${index + 1}\n`))
      yield `${id}\t${index + 1}\tf\t${checksum}\t${own.replaceAll('\\', '\\\\')}`
    }
  }
}

function unescaped(text: string): string {
  return text.replaceAll('\\\\', '\\')
}

interface Pairs {
  readonly few: readonly number[]
  readonly many: readonly number[]
}

/** Times a work with few and with many entries in turns, so that a machine whose speed drifts slows both. */
async function inPairs(few: Filled, many: Filled, work: (on: Filled) => Promise<number>): Promise<Pairs> {
  const times = { few: [] as number[], many: [] as number[] }
  for (let round = -40; round < ROUNDS; round++) {
    const fewMs = await work(few)
    const manyMs = await work(many)
    if (round < 0) continue
    times.few.push(fewMs)
    times.many.push(manyMs)
  }
  return times
}

async function appendOne({ store, conversationCount, heads }: Filled): Promise<number> {
  const conversationId = chosen(conversationCount)
  const after = heads.get(conversationId) ?? ENTRIES_OF_EACH
  const entries = [inputAdmitted(`input_${after}`, 'words')]
  const ms = await timeMs(() => store.append({ conversationId, after, entries, at: 2_000 }))
  heads.set(conversationId, after + 1)
  return ms
}

function readTail({ store, conversationCount }: Filled): Promise<number> {
  const conversationId = chosen(conversationCount)
  return timeMs(() => store.read({ conversationId, before: Number.MAX_SAFE_INTEGER, limit: TAIL }))
}

function readList({ store }: Filled): Promise<number> {
  return timeMs(() => store.listConversations({ ownerId: 'user_1', archived: false, limit: LISTED }))
}

function listFigure({ few, many }: Pairs): Figure {
  const [value, baseline] = [quantile(many, 0.95), quantile(few, 0.95)]
  return {
    name: `first page of the list, p95`,
    value,
    unit: 'ms',
    baseline,
    ratio: value / baseline,
    goal: 'at most 20 ms',
    met: value <= 20,
  }
}

function chosen(conversationCount: number): string {
  return modelIdOf(Math.floor(Math.random() * conversationCount))
}

function figures(name: string, { few, many }: Pairs): readonly Figure[] {
  const ratio = median(many) / median(few)
  return [
    {
      name: `${name}, median`,
      value: median(many),
      unit: 'ms',
      baseline: median(few),
      ratio,
      goal: 'at most 1.3 times as long',
      met: ratio <= 1.3,
    },
    {
      name: `${name}, p95`,
      value: quantile(many, 0.95),
      unit: 'ms',
      baseline: quantile(few, 0.95),
      ratio: quantile(many, 0.95) / quantile(few, 0.95),
      goal: 'reported',
      met: true,
    },
  ]
}

const DRAFTED = 50
const CHUNKS = 20
/** How often drafts are written and dropped before it is measured what is left of them. */
const CHURNS = 120
const PAIRS = 20

/** Drafts written and dropped where many were before, beside a database where none was, in turns. */
async function draftFigures(
  server: BenchServer,
  report: (line: string) => void,
  used: EntryStore,
): Promise<readonly Figure[]> {
  const fresh = await filled(server, { name: 'fresh', entryCount: FEW }, report)
  try {
    const usedDrafts = await createDrafts(used)
    for (let round = 0; round < CHURNS; round++) await usedDrafts()
    const size = server.run('few', [`SELECT pg_total_relation_size('holdfast.drafts') / 1024`])
    const freshDrafts = await createDrafts(fresh.store)
    const times = { used: [] as number[], fresh: [] as number[] }
    for (let pair = 0; pair < PAIRS; pair++) {
      times.used.push(await timeMs(usedDrafts))
      times.fresh.push(await timeMs(freshDrafts))
    }
    const ratio = median(times.used) / median(times.fresh)
    const chunkCount = (DRAFTED * CHUNKS * CHURNS).toLocaleString('en')
    return [
      {
        name: `${DRAFTED} drafts of ${CHUNKS} chunks written and dropped after ${chunkCount} chunks were`,
        value: median(times.used),
        unit: 'ms',
        baseline: median(times.fresh),
        ratio,
        goal: 'at most 1.3 times as long as where none was',
        met: ratio <= 1.3,
      },
      {
        name: `the table of drafts after ${chunkCount} chunks, all dropped`,
        value: Number(size),
        unit: 'KiB',
        baseline: null,
        ratio: null,
        goal: 'reported',
        met: true,
      },
    ]
  } finally {
    await fresh.store.close()
  }
}

/** A round of drafts: each call writes chunks of an open step in many conversations, and ends the steps. */
async function createDrafts(store: EntryStore): Promise<() => Promise<void>> {
  const ids = Array.from({ length: DRAFTED }, (_, number) => modelIdOf(number + 1))
  const epochs = new Map<string, number>()
  for (const conversationId of ids) {
    const lease = await store.acquireLease({ conversationId, holder: 'bench', ttlMs: 3_600_000 })
    epochs.set(conversationId, lease?.epoch ?? 0)
  }
  let round = 0
  return () => {
    round += 1
    return writeAndDrop(store, { ids, epochs, round })
  }
}

async function writeAndDrop(
  store: EntryStore,
  {
    ids,
    epochs,
    round,
  }: { readonly ids: readonly string[]; readonly epochs: ReadonlyMap<string, number>; readonly round: number },
): Promise<void> {
  const stepId = `step_${round}`
  for (let chunk = 0; chunk < CHUNKS; chunk++) {
    const deltas = [{ stepId, block: 0, offset: chunk * 40, text: 'x'.repeat(40) }]
    await store.appendDrafts(
      ids.map((conversationId) => ({
        conversationId,
        runId: 'run_1',
        stepId,
        startedSeq: Number.MAX_SAFE_INTEGER,
        epoch: epochs.get(conversationId) ?? 0,
        deltas,
      })),
    )
  }
  for (const conversationId of ids) {
    const { head } = await store.read({ conversationId, after: 1, limit: 1 })
    const entries = [inputAdmitted(`input_${round}_${head}`, 'x')]
    await store.append({ conversationId, after: head, entries, at: 3_000, dropDraft: stepId })
  }
}
