import {
  type CheckpointSource,
  EXCERPTS_SMALLER,
  irreducibleParts,
  planCheckpoint,
  planWindow,
  type RequestPart,
  weightOfExcess,
} from '@holdfast/context'
import type { Entry, NewEntry, OpenRun } from '@holdfast/conversation'
import type { Ending } from '../../api/ending.ts'
import type { ModelChoice } from '../../api/ports.ts'
import type { RunAtWork } from '../../live/run-at-work.ts'
import { ENGINE } from '../../log/engine-actor.ts'
import { dueFacts } from '../due-facts.ts'
import { gather, READ_ON, READ_WINDOWS, withEntries } from '../gather.ts'
import { compose, type TurnRequest } from '../turn-request.ts'
import { leaveOutUnread, writeMove } from './move-window.ts'
import { isDue, roomSource } from './room-source.ts'
import { summarise } from './summarise.ts'
import { whyNoSummary } from './summary-failure.ts'

/** The request that is sent next, or what keeps it from being sent. */
export type Fitting =
  /** `notes` stand in the request and not in the log yet. */
  | { readonly type: 'request'; readonly at: TurnRequest; readonly notes: readonly NewEntry[] }
  | { readonly type: 'end'; readonly ending: Ending }
  /** A stop came; the run's loop ends it. */
  | { readonly type: 'stopped' }

/** Times that room is made for one request before it is sent as it is. */
const MOST_ROOM_MAKING = 4

/**
 * The request, with what the model is to know now, after room was made for it where that was needed. Where nothing had
 * to make room it is composed once. It holds all from its start on: while it would fit and older entries are unread,
 * they are read. [REQ5, WIN1, WIN13]
 */
export async function fittingRequest(atWork: RunAtWork, run: OpenRun, model: ModelChoice): Promise<Fitting> {
  const { ports, log, epoch, signal } = atWork
  const choice = { ports, model }
  for (let made = 0, noted = 0, windows = READ_WINDOWS; ; ) {
    const gathered = await gather(atWork, choice, windows)
    const stepCount = log.overview().runState.exclusive?.stepCount ?? 0
    // What a checkpoint or the window has just left out is noted again, a bounded number of times.
    const notes = noted > MOST_ROOM_MAKING ? [] : await dueFacts({ ports, at: gathered, stepCount, signal })
    // Their sources may have taken long: notes stand at the end of the log as it is now.
    const readAgain =
      notes.length === 0 || log.overview() === gathered.state ? gathered : await gather(atWork, choice, windows)
    // Another replica may have ended the run meanwhile: of calls that it has open no request can be built.
    if (signal.aborted) return { type: 'stopped' }
    const at = compose(notes.length === 0 ? readAgain : withEntries(readAgain, notes, ports.clock.now()))
    if (made === MOST_ROOM_MAKING || fitsAsItIs(at, run)) {
      if (at.isWhole) return { type: 'request', at, notes }
      windows *= READ_ON
      continue
    }
    if (notes.length > 0) {
      // Room is planned by places of the log: what is to be told has one first.
      await log.append({ epoch, command: null, dropDraft: null }, () => (signal.aborted ? [] : notes))
      if (signal.aborted) return { type: 'stopped' }
      noted += 1
      continue
    }
    const room = await makeRoom(atWork, run, at)
    switch (room.type) {
      case 'fits':
        return { type: 'request', at, notes }
      case 'unread':
        windows *= READ_ON
        break
      case 'made':
        made++
        break
      case 'end':
      case 'stopped':
        return room
    }
  }
}

/** Code of the notice that says that there is no summary, and why. [CHK6] */
const CHECKPOINT_FAILED = 'checkpoint-failed'

/** What is to be done about the size of the next request. */
type Room =
  | { readonly type: 'fits' }
  /** Older entries of it are still to be read. [WIN13] */
  | { readonly type: 'unread' }
  /** The log has changed: the request is composed again. */
  | { readonly type: 'made' }
  | { readonly type: 'end'; readonly ending: Ending }
  /** A stop came; the run's loop ends it. */
  | { readonly type: 'stopped' }

/**
 * Looks at the next request before it is sent, and makes room where it is needed: a checkpoint when it is due, else the
 * window. Where the provider found the request too long: first smaller excerpts, then a checkpoint, then the window.
 * A checkpoint that fails leaves a notice and the window does instead; nothing is ever left out without a word.
 * [WIN1, CHK5, CHK6, CHK8, CHK9]
 */
async function makeRoom(atWork: RunAtWork, run: OpenRun, at: TurnRequest): Promise<Room> {
  if (at.limits === null) return { type: 'fits' }
  const source = roomSource(at)
  const parts = irreducibleParts(source)
  if (parts !== null) return { type: 'end', ending: tooLarge(parts, source) }
  if (!at.isWhole && (!mayMove(run) || planWindow(source).type === 'fits')) return { type: 'unread' }
  const rung = rungOf(at, run)
  if (rung === 'excerpts') return shrinkExcerpts(atWork)
  const wanted = rung === 'checkpoint' || isDue(at, source) || planWindow(source).type === 'too-large'
  if (wanted && !hasFailed(at, run)) {
    if (!at.isWhole) return (await leaveOutUnread(atWork, at)) ? { type: 'made' } : { type: 'unread' }
    const made = await tryCheckpoint(atWork, at, source)
    if (made !== null) return made
  }
  return moveWindow(atWork, run, { at, source: rung === 'window' ? foundTooLong(at, source) : source, rung })
}

/** Whether there is nothing to do before a request is sent: no room to make, and no end to come to. */
function fitsAsItIs(at: TurnRequest, run: OpenRun): boolean {
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

/** A checkpoint that failed in this run is not tried again at each of its steps. */
function hasFailed({ path }: TurnRequest, { runId }: OpenRun): boolean {
  return path.entries.some(
    (entry) => entry.type === 'notice-raised' && entry.code === CHECKPOINT_FAILED && entry.runId === runId,
  )
}

/** Null when there is none: then the window does. */
async function tryCheckpoint(atWork: RunAtWork, at: TurnRequest, source: CheckpointSource): Promise<Room | null> {
  const plan = planCheckpoint(source)
  if (plan.type !== 'planned') return null
  if (!plan.makesRoom) {
    await notice(atWork, 'A summary would not make enough room, so none was made.')
    return null
  }
  const summarised = await summarise(atWork, { at, limits: source.limits, plan, source: 'auto', focus: null })
  switch (summarised.type) {
    case 'made':
    case 'changed':
      return { type: 'made' }
    case 'stopped':
      return { type: 'stopped' }
    case 'over-budget':
      return { type: 'end', ending: summarised.ending }
    case 'failed':
      await notice(atWork, `No summary was made: ${whyNoSummary(summarised.failure)}`)
      return null
  }
}

/** Inside a run it stands, until the provider finds a request too long. [WIN4, CHK8] */
function mayMove({ stepCount, tooLongCount }: OpenRun): boolean {
  return stepCount === 0 || tooLongCount > 0
}

/** Between runs the window moves when it has to; inside one only when the provider found the request too long. [WIN4, CHK8] */
async function moveWindow(
  atWork: RunAtWork,
  run: OpenRun,
  { at, source, rung }: { readonly at: TurnRequest; readonly source: CheckpointSource; readonly rung: Rung | null },
): Promise<Room> {
  const plan = planWindow(source)
  switch (plan.type) {
    case 'fits':
      return rung === 'window' ? { type: 'end', ending: tooLarge([], source) } : { type: 'fits' }
    case 'move': {
      if (!mayMove(run) || plan.moved.startSeq <= at.windowStartSeq) return { type: 'fits' }
      await writeMove(atWork, at, plan.moved)
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

async function notice({ log, runId, epoch }: RunAtWork, text: string): Promise<void> {
  const raised: NewEntry = {
    type: 'notice-raised',
    actor: ENGINE,
    code: CHECKPOINT_FAILED,
    severity: 'warning',
    runId,
    text: `${text} Older messages are left out instead where they do not fit; nothing is lost.`,
  }
  await log.append({ epoch, command: null, dropDraft: null }, () => [raised])
}

/** How room is made for a request that the provider found too long, one after the other. [CHK8] */
type Rung = 'excerpts' | 'checkpoint' | 'window'

/** Smaller excerpts that take off less than this share of the request are not worth the break of its prefix. */
const LEAST_SHARE = 0.05

/**
 * What is tried now; null when the last request was not too long, or room has been made since. Excerpts come first where
 * there is something to take off, and once; then they have had their turn, and the next refusal brings the checkpoint.
 * [CHK8]
 */
function rungOf(at: TurnRequest, { runId, tooLongCount }: OpenRun): Rung | null {
  if (tooLongCount === 0) return null
  const { entries } = at.path
  const failures = entries.filter((entry) => entry.type === 'step-failed' && entry.runId === runId)
  const [first, last] = [failures.at(-tooLongCount)?.seq ?? 0, failures.at(-1)?.seq ?? 0]
  if (entries.some((entry) => entry.seq > last && makesRoom(entry))) return null
  if (tooLongCount === 1) return isWorthIt(at) ? 'excerpts' : 'checkpoint'
  const hasShrunk = entries.some((entry) => entry.seq > first && shrinks(entry))
  return hasShrunk && tooLongCount === 2 ? 'checkpoint' : 'window'
}

/** Says that results are sent in smaller excerpts from here on: the next request is built by it. [RUN13] */
async function shrinkExcerpts({ log, runId, epoch }: RunAtWork): Promise<Room> {
  const raised: NewEntry = {
    type: 'notice-raised',
    actor: ENGINE,
    code: EXCERPTS_SMALLER,
    severity: 'info',
    runId,
    text: 'The request was too long for the provider. Long results of earlier calls are sent in smaller excerpts; read_result gives all.',
  }
  await log.append({ epoch, command: null, dropDraft: null }, () => [raised])
  return { type: 'made' }
}

function makesRoom(entry: Entry): boolean {
  return entry.type === 'checkpoint-made' || entry.type === 'window-moved' || shrinks(entry)
}

function shrinks(entry: Entry): boolean {
  return entry.type === 'notice-raised' && entry.code === EXCERPTS_SMALLER
}

function isWorthIt({ composed, itemLimitChars, ratio, tokens }: TurnRequest): boolean {
  return weightOfExcess(composed.messages, itemLimitChars) / ratio >= tokens.usedTokens * LEAST_SHARE
}
