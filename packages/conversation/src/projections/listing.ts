import type { InputPart } from '../content.ts'
import type { Entry, EntryOf } from '../entry.ts'
import type { Projection } from '../projection.ts'
import { type PendingPermission, pendingPermissions } from './pending-permissions.ts'
import { type PendingQuestion, pendingQuestions } from './pending-questions.ts'
import { type Queue, queue } from './queue.ts'
import { type RunState, runState } from './run-state.ts'
import { type Title, title } from './title.ts'

/** What a conversation is doing, most urgent first. */
export type ConversationActivity =
  | 'waiting-for-permission'
  | 'waiting-for-answer'
  | 'running'
  | 'queue-held'
  | 'failed'
  | 'interrupted'
  | 'idle'

/** A conversation's row in the list. */
export interface ConversationListing {
  readonly conversationId: string
  readonly ownerId: string
  readonly title: string | null
  /** How the first message begins, for as long as there is no title; null before there is one with words. */
  readonly firstWords: string | null
  /** The conversation that this one was branched from, by `fork`; null for every other. */
  readonly forkedFromId: string | null
  readonly state: ConversationActivity
  readonly archived: boolean
  readonly messageCount: number
  readonly queuedCount: number
  readonly permissionCount: number
  readonly agentId: string | null
  readonly modelId: string | null
  /** The workspace that was chosen for it; null for the one of the start, where there is one. */
  readonly workspaceId: string | null
  /** Null where it works in the workspace itself. */
  readonly worktreeId: string | null
  readonly createdAt: number
  /** When a message was last sent or answered; a title moves nothing. In milliseconds since the Unix epoch. */
  readonly updatedAt: number
  /** `seq` of the newest answer that came about here, 0 without one; what came by import was read elsewhere. */
  readonly answeredSeq: number
  readonly head: number
}

/** What the list's row is made of. */
export interface ListingState {
  readonly conversationId: string
  readonly ownerId: string
  readonly archived: boolean
  readonly messageCount: number
  readonly firstWords: string | null
  readonly forkedFromId: string | null
  readonly agentId: string | null
  readonly modelId: string | null
  readonly workspaceId: string | null
  readonly worktreeId: string | null
  readonly createdAt: number
  readonly updatedAt: number
  readonly answeredSeq: number
  readonly head: number
  readonly title: Title
  readonly queue: Queue
  readonly runState: RunState
  readonly pendingPermissions: readonly PendingPermission[]
  readonly pendingQuestions: readonly PendingQuestion[]
}

/** The row of the conversation list. Stores keep its state with the log, in the same transaction. [PRJ5] */
export const listing: Projection<ListingState> = {
  name: 'listing',
  version: 6,
  initial: {
    conversationId: '',
    ownerId: '',
    archived: false,
    messageCount: 0,
    firstWords: null,
    forkedFromId: null,
    agentId: null,
    modelId: null,
    workspaceId: null,
    worktreeId: null,
    createdAt: 0,
    updatedAt: 0,
    answeredSeq: 0,
    head: 0,
    title: title.initial,
    queue: queue.initial,
    runState: runState.initial,
    pendingPermissions: pendingPermissions.initial,
    pendingQuestions: pendingQuestions.initial,
  },
  reduce(state, entries) {
    const last = entries.at(-1)
    if (!last) return state
    const own = { ...state }
    for (const entry of entries) {
      addEntry(own, entry)
      own.runState = runState.reduce(own.runState, [entry])
    }
    return {
      ...own,
      head: last.seq,
      title: title.reduce(state.title, entries),
      queue: queue.reduce(state.queue, entries),
      pendingPermissions: pendingPermissions.reduce(state.pendingPermissions, entries),
      pendingQuestions: pendingQuestions.reduce(state.pendingQuestions, entries),
    }
  },
}

/** The row as it is shown. */
export function toListing(state: ListingState): ConversationListing {
  return {
    conversationId: state.conversationId,
    ownerId: state.ownerId,
    title: state.title.text,
    firstWords: state.firstWords,
    forkedFromId: state.forkedFromId,
    state: stateOf(state),
    archived: state.archived,
    messageCount: state.messageCount,
    queuedCount: state.queue.inputs.length,
    permissionCount: state.pendingPermissions.length,
    agentId: state.agentId,
    modelId: state.modelId,
    workspaceId: state.workspaceId,
    worktreeId: state.worktreeId,
    createdAt: state.createdAt,
    updatedAt: state.updatedAt,
    answeredSeq: state.answeredSeq,
    head: state.head,
  }
}

/** Changes the batch's own copy. */
function addEntry(own: { -readonly [Key in keyof ListingState]: ListingState[Key] }, entry: Entry): void {
  switch (entry.type) {
    case 'conversation-created':
      own.conversationId = entry.conversationId
      own.ownerId = entry.ownerId
      own.forkedFromId = entry.origin.type === 'fork' ? entry.origin.conversationId : null
      own.agentId = entry.settings.agentId ?? null
      own.modelId = entry.settings.modelId ?? null
      own.workspaceId = entry.settings.workspaceId ?? null
      own.worktreeId = entry.settings.worktreeId ?? null
      own.createdAt = entry.at
      own.updatedAt = entry.at
      return
    case 'settings-changed':
      own.agentId = changedId(own.agentId, entry.changes.agentId)
      own.modelId = changedId(own.modelId, entry.changes.modelId)
      own.workspaceId = changedId(own.workspaceId, entry.changes.workspaceId)
      own.worktreeId = changedId(own.worktreeId, entry.changes.worktreeId)
      return
    case 'agent-switched':
      own.agentId = entry.agentId
      return
    case 'imported':
      own.answeredSeq = 0
      return
    case 'conversation-archived':
      own.archived = true
      return
    case 'conversation-restored':
      own.archived = false
      return
    case 'input-admitted':
      own.updatedAt = entry.at
      return
    case 'user-message-sent':
      own.messageCount += 1
      own.firstWords ??= beginningOf(entry.content)
      own.updatedAt = entry.at
      return
    case 'step-finished':
      if (isExclusiveRun(own.runState, entry.runId)) {
        own.messageCount += 1
        own.updatedAt = entry.at
        own.answeredSeq = entry.seq
      }
      return
    case 'body-erased':
      addErased(own, entry)
      return
    default:
      return
  }
}

/** Longest beginning of a message, in characters. */
const MOST_CHARS = 60

/** The first words of a message in one line, without the marks of Markdown; null where it has none. */
function beginningOf(content: readonly InputPart[]): string | null {
  const text = content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(' ')
  const line = text.slice(0, LOOKED_AT).replaceAll(MARKS, ' ').replaceAll(/\s+/g, ' ').trim()
  if (line === '') return null
  if (line.length <= MOST_CHARS) return line
  const cut = line.slice(0, MOST_CHARS).toWellFormed()
  return `${cut.includes(' ') ? cut.slice(0, cut.lastIndexOf(' ')) : cut}…`
}

/** So much of a message is looked at for its first words, in characters. */
const LOOKED_AT = 400

/** What marks headings, lists, quotes and code, and no word. */
const MARKS = /^[#>*\-\s]+|[*_`~]+/gm

/** Erasing words changes no figure: what was a message still is one. [LOG9] */
function addErased(
  own: { messageCount: number; updatedAt: number; runState: RunState },
  entry: EntryOf<'body-erased'>,
): void {
  const { erasedType, of, at } = entry
  const isAnswer = erasedType === 'step-finished' && isExclusiveRun(own.runState, of.runId ?? '')
  if (erasedType === 'user-message-sent' || isAnswer) own.messageCount += 1
  if (erasedType === 'user-message-sent' || isAnswer || erasedType === 'input-admitted') own.updatedAt = at
}

function isExclusiveRun(state: RunState, runId: string): boolean {
  return !state.side.some((run) => run.runId === runId)
}

function changedId(current: string | null, change: unknown): string | null {
  if (change === undefined) return current
  return typeof change === 'string' ? change : null
}

function stateOf(state: ListingState): ConversationActivity {
  const { runState: runs, queue: waiting } = state
  if (state.pendingPermissions.length > 0) return 'waiting-for-permission'
  if (state.pendingQuestions.length > 0) return 'waiting-for-answer'
  if (runs.exclusive) return 'running'
  if (waiting.held && waiting.inputs.length > 0) return 'queue-held'
  if (runs.lastTurn?.outcome === 'failed') return 'failed'
  if (runs.lastTurn?.outcome === 'interrupted') return 'interrupted'
  return 'idle'
}
