import {
  composeRequest,
  contextLimits,
  itemLimitChars,
  planCheckpoint,
  ratioOf,
  tokenRatios,
  untilOpenCalls,
  validateRequest,
} from '@holdfast/context'
import { type Entry, type EntryOf, type NewEntry, placeEntry, USUAL_SETTINGS } from '@holdfast/conversation'
import { nextRequest } from './check-requests.ts'
import { sourceOf, toolsOf } from './request-of.ts'
import type { WireChecks } from './wire-checks.ts'

/** What forcing checkpoints found. */
export interface CheckpointFindings {
  readonly made: number
  /** Places where a call was open: there none may be made. [CHK2] */
  readonly waiting: number
  readonly invalid: readonly string[]
}

/** A window in which the kept part of most conversations of the corpus is smaller than the whole. */
const LIMITS = contextLimits(USUAL_SETTINGS, { windowTokens: 40_000, reservedOutputTokens: 4_000 })

/** Forces a checkpoint at places drawn by chance, also while calls are open, and checks the request after it. [CHK1, CHK2] */
export async function checkCheckpoints(
  log: readonly Entry[],
  { places, random, wires }: { readonly places: number; readonly random: () => number; readonly wires: WireChecks },
): Promise<CheckpointFindings> {
  const invalid: string[] = []
  let made = 0
  let waiting = 0
  for (let count = 0; count < places; count++) {
    const prefix = log.slice(0, 2 + Math.floor(random() * (log.length - 1)))
    const model = prefix.findLast((entry): entry is EntryOf<'step-started'> => entry.type === 'step-started')
    if (!model) continue
    const where = `a checkpoint after entry ${prefix.length}`
    const source = sourceOf(prefix, { model, tools: toolsOf(log) })
    const hasOpenCalls = untilOpenCalls(source.entries).length < source.entries.length
    const composed = hasOpenCalls
      ? composeRequest({ ...source, entries: untilOpenCalls(source.entries) })
      : composeRequest(source)
    const plan = planCheckpoint({
      composed,
      entries: source.entries,
      limits: LIMITS,
      pinnedSeqs: [],
      margin: 1,
      carried: source.carried,
      modelId: model.modelId,
      itemLimitChars: itemLimitChars(null),
      ratio: ratioOf(tokenRatios.reduce(tokenRatios.initial, prefix), model),
    })
    if (hasOpenCalls !== (plan.type === 'open-calls'))
      invalid.push(`${where}: open calls, but the plan is ${plan.type}`)
    if (plan.type === 'open-calls') waiting++
    if (plan.type !== 'planned') continue
    made++
    const request = nextRequest(withCheckpoint(prefix, plan))
    if (!request) continue
    for (const violation of validateRequest(request)) invalid.push(`${where}: ${violation.code} ${violation.text}`)
    for (const refused of await wires.check(request)) invalid.push(`${where}: ${refused}`)
  }
  return { made, waiting, invalid }
}

function withCheckpoint(
  log: readonly Entry[],
  { range, leftOutCount }: Extract<ReturnType<typeof planCheckpoint>, { type: 'planned' }>,
): Entry[] {
  const engine = { type: 'engine' } as const
  const made: NewEntry = { type: 'checkpoint-made', actor: engine, source: 'auto', summary: 'What was said.', ...range }
  const checkpointSeq = log.length + 1
  const moved: NewEntry = {
    type: 'window-moved',
    actor: engine,
    startSeq: range.keptFromSeq,
    checkpointSeq,
    leftOutCount,
  }
  const added = leftOutCount > 0 ? [made, moved] : [made]
  const { conversationId = '', at = 0 } = log.at(-1) ?? {}
  return [...log, ...added.map((entry, index) => placeEntry(entry, { conversationId, seq: checkpointSeq + index, at }))]
}
