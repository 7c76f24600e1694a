import {
  type CheckpointSource,
  DEFAULT_SHARES,
  irreducibleParts,
  isCheckpointDue,
  planCheckpoint,
  planWindow,
  type RequestPart,
  windowBudget,
} from '@holdfast/context'
import { type Entry, isInRanges, type NewEntry, type OpenRun, type Overview, pathRanges } from '@holdfast/conversation'
import type { Ending } from './ending.ts'
import type { Room } from './room.ts'
import { summarise } from './summarise.ts'
import { type Rung, rungOf, shrinkExcerpts } from './too-long.ts'
import { ENGINE, type Turn } from './turn.ts'
import type { TurnRequest } from './turn-request.ts'

/** Code of the notice that says that there is no summary, and why. [CHK6] */
const CHECKPOINT_FAILED = 'checkpoint-failed'

/**
 * Looks at the next request before it is sent, and makes room where it is needed: a checkpoint when it is due, else the
 * window; where the provider found the request too long, first smaller excerpts, then a checkpoint, then the window. A checkpoint that fails leaves a notice and the window does
 * instead; nothing is ever left out without a word. [WIN1, CHK5, CHK6, CHK8, CHK9]
 */
export async function makeRoom(turn: Turn, run: OpenRun, at: TurnRequest): Promise<Room> {
  if (at.limits === null) return { type: 'fits' }
  const source = roomSource(at)
  const parts = irreducibleParts(source)
  if (parts !== null) return { type: 'end', ending: tooLarge(parts, source) }
  const rung = rungOf(at, run)
  if (rung === 'excerpts') return shrinkExcerpts(turn)
  const wanted = rung === 'checkpoint' || isDue(at, source) || planWindow(source).type === 'too-large'
  if (wanted && !hasFailed(at, run)) {
    const made = await tryCheckpoint(turn, at, source)
    if (made !== null) return made
  }
  return moveWindow(turn, run, { at, source: rung === 'window' ? foundTooLong(at, source) : source, rung })
}

/** Whether there is nothing to do before a request is sent: no room to make, and no end to come to. */
export function fitsAsItIs(at: TurnRequest, run: OpenRun): boolean {
  if (at.limits === null) return true
  const source = roomSource(at)
  if (irreducibleParts(source) !== null || rungOf(at, run) !== null || isDue(at, source)) return false
  return planWindow(source).type === 'fits'
}

/** What the window is taken for when a request was too long for the provider and fits by the estimate. */
const HELD_OF_TOO_LONG = 0.75

/** The provider knows better than the estimate how much its window holds. [CHK8] */
function foundTooLong({ tokens }: TurnRequest, source: CheckpointSource): CheckpointSource {
  const { limits } = source
  const heldTokens = Math.floor(tokens.decisionTokens * HELD_OF_TOO_LONG) + limits.reservedOutputTokens
  return { ...source, limits: { ...limits, windowTokens: Math.min(limits.windowTokens, heldTokens) } }
}

/** A window that is assumed where none is known, for a checkpoint that a person asks for. */
const ASSUMED_WINDOW_TOKENS = 32_000

/** What room is planned from. */
export function roomSource(at: TurnRequest): CheckpointSource {
  const { composed, path, model, ratio, tokens, pinned, composedFrom } = at
  const limits = at.limits ?? {
    ...{ windowTokens: ASSUMED_WINDOW_TOKENS, reservedOutputTokens: ASSUMED_WINDOW_TOKENS / 4 },
    ...DEFAULT_SHARES,
  }
  return {
    ...{ composed, limits, ratio, entries: path.entries },
    carried: [...pinned, ...path.carried],
    modelId: model.modelId,
    margin: tokens.decisionTokens > tokens.usedTokens ? 1.15 : 1,
    itemLimitChars: at.itemLimitChars,
    pinnedSeqs: pinsOnPath(composedFrom),
  }
}

function pinsOnPath({ pins, path }: Overview): readonly number[] {
  const ranges = pathRanges(path)
  return pins.filter((seq) => isInRanges(ranges, seq))
}

/** Whether a checkpoint is made before this request. [CHK5] */
export function isSummaryDue(at: TurnRequest): boolean {
  return at.limits !== null && isDue(at, roomSource(at))
}

function isDue({ tokens, path }: TurnRequest, source: CheckpointSource): boolean {
  return isCheckpointDue({
    limits: source.limits,
    decisionTokens: tokens.decisionTokens,
    budgetTokens: windowBudget(source).budgetTokens,
    afterLastTokens: afterLastCheckpoint(path.entries, tokens.decisionTokens),
  })
}

/** What the first request after the last checkpoint held, measured or else estimated; null where there is none. */
function afterLastCheckpoint(entries: readonly Entry[], nowTokens: number): number | null {
  const last = entries.findLastIndex(({ type }) => type === 'checkpoint-made')
  if (last < 0) return null
  let estimated: number | null = null
  for (const entry of entries.slice(last)) {
    if (entry.type === 'step-started' && entry.purpose === 'turn') estimated ??= entry.estimatedInputTokens ?? null
    if (entry.type !== 'usage-recorded' || entry.purpose !== 'turn' || !entry.measured) continue
    const { inputTokens, cacheReadTokens, cacheCreation5mTokens, cacheCreation1hTokens } = entry
    return inputTokens + cacheReadTokens + cacheCreation5mTokens + cacheCreation1hTokens
  }
  return estimated ?? nowTokens
}

/** A checkpoint that failed in this run is not tried again at each of its steps. */
function hasFailed({ path }: TurnRequest, { runId }: OpenRun): boolean {
  return path.entries.some(
    (entry) => entry.type === 'notice-raised' && entry.code === CHECKPOINT_FAILED && entry.runId === runId,
  )
}

/** Null when there is none: then the window does. */
async function tryCheckpoint(turn: Turn, at: TurnRequest, source: CheckpointSource): Promise<Room | null> {
  const plan = planCheckpoint(source)
  if (plan.type !== 'planned') return null
  if (!plan.makesRoom) {
    await notice(turn, 'A summary would not make enough room, so none was made.')
    return null
  }
  const summarised = await summarise(turn, { at, plan, source: 'auto', focus: null })
  switch (summarised.type) {
    case 'made':
      return { type: 'made' }
    case 'stopped':
      return { type: 'stopped' }
    case 'over-budget':
      return { type: 'end', ending: summarised.ending }
    case 'failed':
      await notice(turn, `No summary was made: ${inWords(summarised.reason)}`)
      return null
  }
}

/** Why an answer was no summary, in words. */
export function inWords(reason: string): string {
  switch (reason) {
    case 'called-a-tool':
      return 'the model called tools instead.'
    case 'empty':
      return 'the model answered with nothing.'
    case 'cut':
      return 'the answer was cut.'
    case 'refused':
      return 'the model refused.'
    default:
      return reason
  }
}

/** Between runs the window moves when it has to; inside one only when the provider found the request too long. [WIN4, CHK8] */
async function moveWindow(
  turn: Turn,
  run: OpenRun,
  { at, source, rung }: { readonly at: TurnRequest; readonly source: CheckpointSource; readonly rung: Rung | null },
): Promise<Room> {
  const plan = planWindow(source)
  const mayMove = run.stepCount === 0 || run.tooLongCount > 0
  switch (plan.type) {
    case 'fits':
      return rung === 'window' ? { type: 'end', ending: tooLarge([], source) } : { type: 'fits' }
    case 'move': {
      if (!mayMove || plan.moved.startSeq <= at.windowStartSeq) return { type: 'fits' }
      const leftOutCount = plan.moved.leftOutCount + (at.composed.head.window ? 0 : await at.path.countUnread())
      await turn.log.append({ epoch: turn.epoch, command: null, dropDraft: null }, () => [
        { type: 'window-moved', actor: ENGINE, ...plan.moved, leftOutCount },
      ])
      return { type: 'made' }
    }
    case 'too-large':
      return { type: 'end', ending: tooLarge(plan.parts, source) }
  }
}

/** Names the parts and their sizes. [WIN1] */
function tooLarge(parts: readonly RequestPart[], { limits }: CheckpointSource): Ending {
  const sizes = parts.map(({ name, tokens }) => `${name} ${tokens}`).join(', ')
  const { windowTokens, reservedOutputTokens } = limits
  const window = `The window holds ${windowTokens} tokens, of which ${reservedOutputTokens} are kept for the answer`
  return {
    outcome: 'limit',
    reason: `The request does not fit. ${window}${sizes === '' ? '' : `; it needs: ${sizes}`}. Shorten it, or choose a larger model.`,
  }
}

async function notice({ log, runId, epoch }: Turn, text: string): Promise<void> {
  const raised: NewEntry = {
    ...{ type: 'notice-raised', actor: ENGINE, code: CHECKPOINT_FAILED, severity: 'warning', runId },
    text: `${text} Older messages are left out instead where they do not fit; nothing is lost.`,
  }
  await log.append({ epoch, command: null, dropDraft: null }, () => [raised])
}
