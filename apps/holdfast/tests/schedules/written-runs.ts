import type pg from 'pg'
import * as z from 'zod'

/** What a database says of schedules that were due at one instant. */
export interface WrittenRuns {
  /** Occurrences whose message stands in a log. */
  readonly asked: number
  /** Runs that have come to their end. */
  readonly ended: number
  /** What is wrong, in words: lost, doubled, ended twice, asked a person, or told otherwise than it was. */
  readonly lost: readonly string[]
  readonly doubled: readonly string[]
  readonly wrong: readonly string[]
  /** How long after its time each turn began that did, in milliseconds, in their order. */
  readonly lateMs: readonly number[]
}

const Body = z.looseObject({
  type: z.string(),
  at: z.number(),
  inputId: z.string().optional(),
  runId: z.string().optional(),
  outcome: z.string().optional(),
  schedule: z.object({ scheduleId: z.string(), plannedAt: z.number() }).optional(),
})
const Row = z.object({ conversationId: z.string(), body: z.string().transform((text) => Body.parse(JSON.parse(text))) })
const OccurrenceRow = z.object({
  scheduleId: z.string(),
  value: z
    .string()
    .transform((text) =>
      z
        .looseObject({ plannedAt: z.number(), state: z.string(), conversationId: z.string().nullable() })
        .parse(JSON.parse(text)),
    ),
})

const ENTRIES = `
  SELECT conversation_id AS "conversationId", body FROM holdfast.entries
  WHERE body LIKE '%"type":"input-admitted"%' OR body LIKE '%"type":"user-message-sent"%'
    OR body LIKE '%"type":"run-finished"%' OR body LIKE '%"type":"permission-requested"%'
  ORDER BY conversation_id, seq`
const OCCURRENCES = `
  SELECT owner_id AS "scheduleId", value FROM holdfast.records WHERE kind = 'occurrence' AND value IS NOT NULL`

/** Reads a database, and nothing else, for what became of schedules that were acknowledged and due at an instant. [SCHED15] */
export async function writtenRuns(
  client: pg.Client,
  { scheduleIds, plannedAt }: { readonly scheduleIds: readonly string[]; readonly plannedAt: number },
): Promise<WrittenRuns> {
  const entries = z.array(Row).parse((await client.query(ENTRIES)).rows)
  const histories = Map.groupBy(
    z.array(OccurrenceRow).parse((await client.query(OCCURRENCES)).rows),
    ({ scheduleId }) => scheduleId,
  )
  const of = (type: string) => entries.filter(({ body }) => body.type === type)
  const inputs = Map.groupBy(of('input-admitted'), ({ body }) => body.schedule?.scheduleId)
  const sent = Map.groupBy(of('user-message-sent'), ({ body }) => body.inputId)
  const ends = Map.groupBy(of('run-finished'), ({ conversationId, body }) => `${conversationId} ${body.runId}`)
  const lost: string[] = []
  const doubled: string[] = []
  const wrong = of('permission-requested').map(({ conversationId }) => `${conversationId} asked a person`)
  const lateMs: number[] = []
  let ended = 0
  for (const id of scheduleIds) {
    const own = inputs.get(id) ?? []
    const [input] = own
    if (!input) {
      lost.push(`${id} did not run`)
      continue
    }
    if (own.length > 1) doubled.push(`${id} was asked ${own.length} times`)
    if (input.body.schedule?.plannedAt !== plannedAt) wrong.push(`${id} ran for another time than planned`)
    const messages = own.flatMap(({ body }) => sent.get(body.inputId) ?? [])
    if (messages.length > own.length) doubled.push(`${id} began ${messages.length} times`)
    const [message] = messages
    if (message) lateMs.push(message.body.at - plannedAt)
    const finished = message ? (ends.get(`${message.conversationId} ${message.body.runId}`) ?? []) : []
    if (finished.length > 1) doubled.push(`${id} ended ${finished.length} times`)
    ended += Math.min(1, finished.length)
    wrong.push(
      ...wrongInHistory(id, { lines: histories.get(id) ?? [], conversationId: input.conversationId, finished }),
    )
  }
  return {
    asked: inputs.size - Number(inputs.has(undefined)),
    ended,
    lost,
    doubled,
    wrong,
    lateMs: lateMs.toSorted((one, other) => one - other),
  }
}

function wrongInHistory(
  id: string,
  {
    lines,
    conversationId,
    finished,
  }: {
    readonly lines: readonly z.infer<typeof OccurrenceRow>[]
    readonly conversationId: string
    readonly finished: readonly z.infer<typeof Row>[]
  },
): readonly string[] {
  const [line] = lines
  if (!line || lines.length > 1) return [`${id} has ${lines.length} lines in its history`]
  const { state, conversationId: named } = line.value
  const end = finished[0]?.body.outcome
  const isTrue = end === undefined ? state === 'started' : state === (end === 'completed' ? 'succeeded' : 'failed')
  return [
    ...(named === conversationId ? [] : [`${id} names ${named}, and ran in ${conversationId}`]),
    ...(isTrue ? [] : [`${id} is said to have ${state}, and its run ${end ?? 'goes on'}`]),
  ]
}
