import {
  applyDelta,
  type CanvasOperation,
  type Draft,
  type DraftDelta,
  draftDeltas,
  type Entry,
  emptyDraft,
  type Overview,
  overview,
} from '@holdfast/conversation'
import { type CommandFrame, type Problem, problem, type ServerFrame, type ServerFrameOf } from '@holdfast/protocol'
import { emptyWindow, nextSeq, type ThreadWindow, withNewer, withOlder } from './thread-window.ts'

/** A command on its way: kept until the log shows that it was carried out. [SYNC2] */
export interface OutboxItem {
  readonly command: ConversationCommandFrame
  /** Set when the server has taken it: the log holds it at or before this `seq`. */
  readonly acceptedSeq: number | null
}

/** A command of one conversation. */
export type ConversationCommandFrame = Extract<CommandFrame, { conversationId: string }>

/** A command that the server refused, so that what was typed can be given back. */
export interface RefusedCommand {
  readonly command: ConversationCommandFrame
  readonly problem: Problem
}

/** A message of an agent that is shown once. */
export interface Notification {
  readonly seq: number
  readonly agentId: string
  readonly text: string
  readonly tone: Extract<CanvasOperation, { type: 'notify' }>['tone']
}

/** What a client knows of a conversation. */
export interface ConversationState {
  readonly conversationId: string
  /** The projections of the log; `overview.head` is the cursor, where the next follow starts. */
  readonly overview: Overview
  /** What of the thread is here: its end, and as many pages before it as were asked for. */
  readonly window: ThreadWindow
  /** Whether an older page is on its way, or could not be read. */
  readonly older: 'idle' | 'loading' | 'failed'
  /** The open step so far; null when none is open, or nothing of it has streamed. */
  readonly draft: Draft | null
  /** What running tools have said last of how far they are, by call. */
  readonly progress: Readonly<Record<string, string>>
  /** Whether everything up to the head that the server named last is here. */
  readonly caughtUp: boolean
  /** Something is missing: follow again. */
  readonly gap: boolean
  /** The cursor when this line began to follow. */
  readonly followedFrom: number
  /** What agents have told this client once while it looked, newest last; none of it comes back. [CANVAS3] */
  readonly notifications: readonly Notification[]
  /** Why what happens here may not be kept; null from the next entries on. [LOG8] */
  readonly writeProblem: string | null
  /** Why the conversation cannot be followed. */
  readonly problem: Problem | null
  readonly outbox: readonly OutboxItem[]
  readonly refused: readonly RefusedCommand[]
}

/** A conversation of which nothing is known yet. */
export function initialState(conversationId: string): ConversationState {
  return {
    conversationId,
    overview: overview.initial,
    window: emptyWindow(1),
    older: 'idle',
    draft: null,
    progress: {},
    caughtUp: false,
    gap: false,
    followedFrom: 0,
    notifications: [],
    writeProblem: null,
    problem: null,
    outbox: [],
    refused: [],
  }
}

/**
 * Applies one frame. One that is repeated or late changes nothing; one that shows that something is missing
 * sets `gap`. [SYNC1]
 */
export function reduceFrame(state: ConversationState, frame: ServerFrame): ConversationState {
  switch (frame.type) {
    case 'overview':
      return frame.conversationId === state.conversationId ? open(state, frame) : state
    case 'entries':
      return frame.conversationId === state.conversationId ? addEntries(state, frame.entries) : state
    case 'draft':
      return frame.conversationId === state.conversationId ? addDeltas(state, frame.stepId, draftDeltas(frame)) : state
    case 'delta':
      return frame.conversationId === state.conversationId ? addDeltas(state, frame.stepId, [toDelta(frame)]) : state
    case 'caught-up':
      return frame.conversationId === state.conversationId ? compareHead(state, frame.head) : state
    case 'accepted':
      return accept(state, frame)
    case 'refused':
      return refuse(state, frame)
    case 'erased':
      return frame.conversationId === state.conversationId ? forgetLog(state) : state
    case 'write-failed':
      return frame.conversationId === state.conversationId ? { ...state, writeProblem: frame.message } : state
    case 'progress':
      return frame.conversationId === state.conversationId ? addProgress(state, frame) : state
    case 'welcome':
    case 'conversations':
    case 'composer':
    case 'terminal-open':
    case 'terminal-output':
    case 'terminal-resize':
    case 'terminal-close':
    case 'pong':
    case 'goodbye':
      return state
  }
}

/** `seq` of the last entry that need not be sent again. */
export function readUpTo({ overview: { head }, window }: ConversationState): number {
  return Math.min(head, nextSeq(window) - 1)
}

/**
 * Whether nothing of what is here can be shown before more is read: the log's end lies within one exchange, which began
 * before it. [SYNC7]
 */
export function lacksBeginning({ window, caughtUp, older }: ConversationState): boolean {
  return caughtUp && older === 'idle' && window.firstSeq > 1 && window.items.length === 0
}

/** The input behind which a message is written now; null where none waits, or the queue is held or about to be: a new message goes first then. [STOP9] */
export function lastWaiting({ overview: { queue, runState }, outbox }: ConversationState): string | null {
  const isStopping =
    (runState.exclusive !== null && runState.exclusive.stopRequestedAt !== null) ||
    outbox.some(({ command }) => command.name === 'stop-run')
  return queue.held !== null || isStopping ? null : (queue.inputs.at(-1)?.inputId ?? null)
}

/** A new line follows from here, or the same one anew after a gap. */
export function beginFollow(state: ConversationState, line: 'new' | 'same'): ConversationState {
  const followedFrom = line === 'new' ? state.overview.head : state.followedFrom
  return { ...state, followedFrom, caughtUp: false, gap: false, problem: null }
}

/** An older page is asked for, or could not be read. */
export function markOlder(state: ConversationState, older: ConversationState['older']): ConversationState {
  return { ...state, older }
}

/** Adds an older page to the window. */
export function addOlder(state: ConversationState, page: readonly Entry[]): ConversationState {
  return { ...state, older: 'idle', window: withOlder(state.window, page) }
}

/** Puts a command into the outbox. */
export function addCommand(state: ConversationState, command: ConversationCommandFrame): ConversationState {
  return { ...state, outbox: [...state.outbox, { command, acceptedSeq: null }] }
}

/** Gives a command back that no server takes. [SYNC8] */
export function addRefused(
  state: ConversationState,
  command: ConversationCommandFrame,
  why: Problem,
): ConversationState {
  return { ...state, refused: [...state.refused, { command, problem: why }] }
}

/** Gives back what had no answer when the server ended the line for what was sent on it. One that was carried out all the same is seen in the log. [SYNC8] */
export function refuseUnanswered(state: ConversationState): ConversationState {
  const unanswered = state.outbox.filter(({ acceptedSeq }) => acceptedSeq === null)
  if (unanswered.length === 0) return state
  const given = unanswered.map(({ command }) => ({ command, problem: lineRefusal() }))
  const outbox = state.outbox.filter(({ acceptedSeq }) => acceptedSeq !== null)
  return { ...state, outbox, refused: [...state.refused, ...given] }
}

/** Why it was given back. */
export function lineRefusal(): Problem {
  return problem(
    400,
    'bad-request',
    'The server ended the connection for what was sent on it; load the page anew, or send less at once',
  )
}

/** Takes a refused command off the list: it was given back to whoever typed it. */
export function forgetRefused(state: ConversationState, commandId: string): ConversationState {
  return { ...state, refused: state.refused.filter(({ command }) => command.commandId !== commandId) }
}

/** A long conversation opens with its overview; the entries of its end come after, and are part of it already. */
function open(state: ConversationState, frame: ServerFrameOf<'overview'>): ConversationState {
  if (state.overview.head > 0) return state
  return { ...state, overview: frame.overview, window: emptyWindow(frame.from), followedFrom: frame.overview.head }
}

function addEntries(state: ConversationState, entries: readonly Entry[]): ConversationState {
  return addFresh(addTail(state, entries), entries)
}

/** Entries that the overview holds already: only the window lacks them. */
function addTail(state: ConversationState, entries: readonly Entry[]): ConversationState {
  const { window, overview: known } = state
  const next = nextSeq(window)
  if (next > known.head) return state
  const tail = entries.filter(({ seq }) => seq >= next && seq <= known.head)
  if (tail[0]?.seq !== next) return state
  return { ...state, window: withNewer(window, tail) }
}

function addFresh(state: ConversationState, entries: readonly Entry[]): ConversationState {
  const fresh = entries.filter((entry) => entry.seq > state.overview.head)
  const [first] = fresh
  if (!first) return state
  if (first.seq !== state.overview.head + 1) return state.gap ? state : { ...state, gap: true }
  const next = overview.reduce(state.overview, fresh)
  const seen = new Set(fresh.map(({ commandId }) => commandId))
  return {
    ...state,
    overview: next,
    writeProblem: null,
    window: withNewer(state.window, fresh),
    progress: next.runState.exclusive ? state.progress : {},
    notifications: state.caughtUp ? withNotified(state.notifications, fresh) : state.notifications,
    draft: state.draft && state.draft.stepId === openStepId(next) ? state.draft : null,
    outbox: withoutSeen(state.outbox, (item) => seen.has(item.command.commandId) || isDone(item, next.head)),
    refused: withoutSeen(state.refused, ({ command }) => seen.has(command.commandId)),
  }
}

const MOST_NOTIFICATIONS = 5

function withNotified(known: readonly Notification[], fresh: readonly Entry[]): readonly Notification[] {
  const told = fresh.flatMap((entry) => {
    if (entry.type !== 'canvas-changed') return []
    const { seq, agentId, operations } = entry
    return operations.flatMap((one) =>
      one.type === 'notify' ? [{ seq, agentId, text: one.text, tone: one.tone }] : [],
    )
  })
  return told.length === 0 ? known : [...known, ...told].slice(-MOST_NOTIFICATIONS)
}

/** Only the open step of the exclusive run has a draft here; what comes of another is late, or of a title. */
function addDeltas(state: ConversationState, stepId: string, deltas: readonly DraftDelta[]): ConversationState {
  if (stepId !== openStepId(state.overview)) return state
  const known = state.draft?.stepId === stepId ? state.draft : emptyDraft(stepId)
  let draft = known
  for (const delta of deltas) {
    const applied = applyDelta(draft, delta)
    if (applied.outcome === 'gap') return state.gap ? state : { ...state, gap: true }
    draft = applied.draft
  }
  return draft === known ? state : { ...state, draft }
}

/**
 * A head beyond the cursor shows that entries were lost. One before the cursor that this line began with
 * shows that the log is another one, such as after a backup was restored: everything is read anew.
 */
function compareHead(state: ConversationState, head: number): ConversationState {
  if (head < state.followedFrom) return forgetLog(state)
  if (head > state.overview.head || readUpTo(state) < state.overview.head)
    return state.gap ? state : { ...state, gap: true }
  return state.caughtUp ? state : { ...state, caughtUp: true }
}

/** Everything is read anew; what is on its way to the server stays on its way. */
function forgetLog({ conversationId, outbox, refused }: ConversationState): ConversationState {
  return { ...initialState(conversationId), outbox, refused, gap: true }
}

function addProgress(state: ConversationState, { callId, message }: ServerFrameOf<'progress'>): ConversationState {
  if (!state.overview.runState.exclusive?.openCalls.some((call) => call.callId === callId)) return state
  return { ...state, progress: { ...state.progress, [callId]: message } }
}

function accept(state: ConversationState, { commandId, seq }: ServerFrameOf<'accepted'>): ConversationState {
  if (!state.outbox.some(({ command }) => command.commandId === commandId)) return state
  const outbox = state.outbox.map((item) =>
    item.command.commandId === commandId ? { ...item, acceptedSeq: seq } : item,
  )
  return { ...state, outbox: withoutSeen(outbox, (item) => isDone(item, state.overview.head)) }
}

function refuse(state: ConversationState, frame: ServerFrameOf<'refused'>): ConversationState {
  const { commandId, conversationId, problem } = frame
  if (commandId === undefined) {
    if (conversationId !== state.conversationId) return state
    // What was read goes on being shown; the next beat follows again. [SCALE33]
    return isNotNow(problem)
      ? { ...state, caughtUp: false, problem: state.overview.head === 0 ? problem : null }
      : { ...state, problem }
  }
  const item = state.outbox.find(({ command }) => command.commandId === commandId)
  if (!item || isNotNow(problem)) return state
  const outbox = state.outbox.filter((other) => other !== item)
  return { ...state, outbox, refused: [...state.refused, { command: item.command, problem }] }
}

/** The server is about to end, or cannot read its store, and has done nothing: all of it is said again. [SYNC2, SCALE33] */
export function isNotNow({ code }: Problem): boolean {
  return code === 'not-ready' || code === 'store-read-failed'
}

function openStepId(state: Overview): string | null {
  return state.runState.exclusive?.openStep?.stepId ?? null
}

function isDone({ acceptedSeq }: OutboxItem, head: number): boolean {
  return acceptedSeq !== null && acceptedSeq <= head
}

function withoutSeen<Item>(items: readonly Item[], isSeen: (item: Item) => boolean): readonly Item[] {
  return items.some(isSeen) ? items.filter((item) => !isSeen(item)) : items
}

function toDelta({ stepId, block, offset, text, start, end }: ServerFrameOf<'delta'>): DraftDelta {
  return { stepId, block, offset, text, ...(start ? { start } : {}), ...(end ? { end } : {}) }
}
