import {
  type Clock,
  type ConversationListing,
  type EntryStore,
  isParked,
  type SnapshotStore,
} from '@holdfast/conversation'
import { readOverview } from '@holdfast/engine'
import type { InboxItem } from '@holdfast/protocol'
import type { Desks } from '../parts/desks.ts'
import { rowOf } from '../parts/row-of.ts'
import type { ScheduleDirectory } from './schedule-directory.ts'
import { type Occurrence, occurrenceId } from './schedule-record.ts'

/** So many conversations are looked at, those that changed last. */
const LOOKED_AT = 500
const PAGE = 100
/** Of what a call was given, so much is shown, in characters. */
const INPUT_CHARS = 40_000
/** A client that runs a call for longer may be gone, in milliseconds. [TOOL19] */
const CLIENT_MS = 120_000

/** All that needs a person, and what ended and they have not seen: over all conversations, agents and schedules. [SCHED18] */
export async function readInbox(
  {
    store,
    desks,
    schedules,
    clock,
  }: {
    readonly store: Pick<EntryStore, 'read' | 'listConversations'> & SnapshotStore
    readonly desks: Pick<Desks, 'readMark'>
    readonly schedules: ScheduleDirectory | null
    readonly clock: Pick<Clock, 'now'>
  },
  userId: string,
): Promise<readonly InboxItem[]> {
  const ofSchedules = schedules === null ? [] : scheduleItems(schedules, userId)
  const told = new Set([...ofSchedules.map(({ conversationId }) => conversationId), ...openOf(schedules, userId)])
  const items: InboxItem[] = [...ofSchedules]
  for (let looked = 0, before: ConversationListing | undefined; looked < LOOKED_AT; ) {
    const page = await store.listConversations({
      ownerId: userId,
      archived: false,
      limit: PAGE,
      ...(before === undefined ? {} : { before }),
    })
    for (const listing of page) {
      if (listing.state.startsWith('waiting')) items.push(...(await waitingIn(store, listing)))
      else if (listing.state === 'running') items.push(...(await handedOverIn(store, listing, clock.now())))
      else if (!told.has(listing.conversationId)) items.push(...(await endedIn(desks, listing)))
    }
    looked += page.length
    before = page.at(-1)
    if (page.length < PAGE) break
  }
  return items.sort((one, other) => Number(isAsking(other)) - Number(isAsking(one)) || other.at - one.at)
}

/** Where runs of schedules are open: their end is a line of the history. */
function openOf(schedules: ScheduleDirectory | null, userId: string): readonly string[] {
  const own = schedules?.scheduler.stored.all().filter(({ value }) => value.ownerId === userId) ?? []
  return own.flatMap(({ value }) => value.open.map(({ conversationId }) => conversationId))
}

function isAsking({ kind }: InboxItem): boolean {
  return kind === 'permission' || kind === 'question' || kind === 'client' || kind === 'schedule-paused'
}

const EMPTY = { detail: null, costUsd: null, request: null, denied: [], scheduleId: null, agentId: null }

function titleOf({ title, firstWords }: ConversationListing): string {
  return title ?? firstWords ?? ''
}

async function waitingIn(
  store: Pick<EntryStore, 'read'> & SnapshotStore,
  listing: ConversationListing,
): Promise<readonly InboxItem[]> {
  const { conversationId, agentId, updatedAt: at } = listing
  const { pendingPermissions, pendingQuestions } = (await readOverview(store, conversationId)).state
  const base = { ...EMPTY, conversationId, agentId, title: titleOf(listing), at }
  return [
    ...pendingPermissions.map(({ requestId, tool, input, reason, source, guard, pinned }): InboxItem => {
      const named = { ...(guard === undefined ? {} : { guard }), ...(pinned === undefined ? {} : { pinned }) }
      const asked = { reason, source, ...named }
      const request = { requestId, tool, input: JSON.stringify(input).slice(0, INPUT_CHARS), ...asked }
      return { ...base, kind: 'permission', id: `permission/${conversationId}/${requestId}`, detail: reason, request }
    }),
    ...pendingQuestions.map(({ questionId }): InboxItem => {
      return { ...base, kind: 'question', id: `question/${conversationId}/${questionId}` }
    }),
  ]
}

/** A run goes on when its client has said what came of its calls: one that does not come back is told of, and can be stopped. [TOOL19] */
async function handedOverIn(
  store: Pick<EntryStore, 'read'> & SnapshotStore,
  listing: ConversationListing,
  now: number,
): Promise<readonly InboxItem[]> {
  const { conversationId, agentId } = listing
  const run = (await readOverview(store, conversationId)).state.runState.exclusive
  const at = run?.openCalls[0]?.handedOverAt ?? null
  if (run === null || at === null || !isParked(run) || now - at < CLIENT_MS) return []
  const detail = run.openCalls.map(({ name }) => name).join(', ')
  const base = { ...EMPTY, conversationId, agentId, title: titleOf(listing), at, detail }
  return [{ ...base, kind: 'client', id: `client/${conversationId}/${run.runId}` }]
}

async function endedIn(desks: Pick<Desks, 'readMark'>, listing: ConversationListing): Promise<readonly InboxItem[]> {
  const { conversationId, agentId, state, updatedAt: at } = listing
  const row = await rowOf(desks, listing)
  if (!row.unread || state === 'running') return []
  const kind = state === 'failed' || state === 'interrupted' ? 'failed' : 'finished'
  return [
    { ...EMPTY, kind, id: `conversation/${conversationId}`, conversationId, agentId, title: titleOf(listing), at },
  ]
}

function scheduleItems(schedules: ScheduleDirectory, userId: string): readonly InboxItem[] {
  return schedules.scheduler.stored
    .all()
    .filter(({ value }) => value.ownerId === userId)
    .flatMap(({ id, value, updatedAt }) => [
      ...(value.pausedReason === null
        ? []
        : [
            {
              ...EMPTY,
              kind: 'schedule-paused' as const,
              id: `schedule/${id}/paused`,
              conversationId: null,
              scheduleId: id,
              agentId: value.agentId ?? null,
              title: value.name,
              at: updatedAt,
              detail: value.pausedReason,
              ...(value.pausedWhy === undefined ? {} : { why: value.pausedWhy }),
            },
          ]),
      ...value.news.map((line) => itemOf(line, { id, ...value })),
    ])
}

function itemOf(
  line: Occurrence,
  { id, name, agentId }: { readonly id: string; readonly name: string; readonly agentId?: string },
): InboxItem {
  const { plannedAt, endedAt, conversationId, reason, why, costUsd, denied } = line
  return {
    ...EMPTY,
    kind: KINDS[line.state],
    id: `schedule/${id}/${occurrenceId(line)}`,
    conversationId,
    scheduleId: id,
    agentId: agentId ?? null,
    title: name,
    at: endedAt ?? plannedAt,
    detail: reason,
    ...(why === undefined ? {} : { why }),
    costUsd,
    denied: denied.slice(),
  }
}

const KINDS: Readonly<Record<Occurrence['state'], InboxItem['kind']>> = {
  started: 'schedule-finished',
  succeeded: 'schedule-finished',
  denied: 'schedule-failed',
  failed: 'schedule-failed',
  stopped: 'schedule-stopped',
  skipped: 'schedule-missed',
  missed: 'schedule-missed',
  'set-back': 'schedule-clock',
}
