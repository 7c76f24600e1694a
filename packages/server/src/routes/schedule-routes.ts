import type { Clock, ConversationListing, EntryStore, Ids, SnapshotStore } from '@holdfast/conversation'
import { type Engine, RefusedCommandError } from '@holdfast/engine'
import { type InboxItem, routes } from '@holdfast/protocol'
import { type BindDeps, bindRoute } from '../door/bind-route.ts'
import type { Desks } from '../parts/desks.ts'
import { RefusedError } from '../parts/to-problem.ts'
import { withoutPause } from '../schedules/occurrence-lines.ts'
import { readInbox } from '../schedules/read-inbox.ts'
import type { ScheduleDirectory } from '../schedules/schedule-directory.ts'
import { occurrenceId } from '../schedules/schedule-record.ts'
import { stopRuns } from '../schedules/stop-runs.ts'
import { bindHook } from './bind-hook.ts'
import { toTrial } from './permission-rule-routes.ts'

/** What the routes about schedules need. */
export interface ScheduleRoutesDeps extends BindDeps {
  /** Null where none are kept. */
  readonly schedules: ScheduleDirectory | null
  readonly store: Pick<EntryStore, 'read' | 'listConversations' | 'readListing'> & SnapshotStore
  readonly desks: Pick<Desks, 'readMark' | 'markRead'>
  readonly engine: Pick<Engine, 'tryRule' | 'stopRun' | 'removeInput'>
  readonly ids: Ids
  readonly clock: Pick<Clock, 'now'>
  /** A conversation was read further. */
  readonly onRead: (conversationId: string) => void
}

/** Serves schedules, their history, and the inbox. */
export function bindSchedules({
  schedules,
  store,
  desks,
  engine,
  ids,
  clock,
  onRead,
  ...deps
}: ScheduleRoutesDeps): void {
  function kept(): ScheduleDirectory {
    if (schedules) return schedules
    throw new RefusedError(404, 'unknown-schedule', 'This server keeps no schedules')
  }

  bindRoute(deps, routes.listSchedules, async ({ userId, answer }) =>
    answer(200, { schedules: schedules?.rows(userId).slice() ?? [] }),
  )
  bindRoute(deps, routes.createSchedule, async ({ userId, body, answer }) =>
    answer(201, await kept().create(userId, body)),
  )
  bindRoute(deps, routes.tryScheduleRule, async ({ body, answer }) =>
    answer(200, { next: kept().tryRule(body).slice() }),
  )
  bindRoute(deps, routes.readSchedule, async ({ userId, params: { scheduleId }, answer }) =>
    answer(200, kept().read(userId, scheduleId)),
  )
  bindRoute(deps, routes.changeSchedule, async ({ userId, params: { scheduleId }, body, answer }) =>
    answer(200, await kept().change(userId, scheduleId, body)),
  )
  bindRoute(deps, routes.removeSchedule, async ({ userId, params: { scheduleId }, answer }) => {
    await kept().remove(userId, scheduleId)
    return answer(200, { scheduleId })
  })
  bindRoute(deps, routes.renewScheduleSecret, async ({ userId, params: { scheduleId }, answer }) =>
    answer(200, await kept().renewSecret(userId, scheduleId)),
  )
  bindHook(deps, schedules)
  bindRoute(deps, routes.runSchedule, async ({ userId, params: { scheduleId }, answer }) =>
    answer(202, await kept().run(userId, scheduleId)),
  )
  bindRoute(deps, routes.stopSchedule, async ({ userId, params: { scheduleId }, answer }) => {
    const actor = { type: 'person' as const, userId }
    const stopped = await stopRuns({ store, engine, ids }, kept().record(userId, scheduleId), actor)
    if (stopped === 0) throw new RefusedError(409, 'nothing-runs', 'No run of this schedule is under way')
    return answer(202, { stopped })
  })
  bindRoute(deps, routes.listOccurrences, async ({ userId, params: { scheduleId }, answer }) =>
    answer(200, { occurrences: (await kept().history(userId, scheduleId)).slice() }),
  )
  bindRoute(deps, routes.nextOfSchedule, async ({ userId, params: { scheduleId }, query: { count }, answer }) =>
    answer(200, { next: kept().next(userId, scheduleId, count).slice() }),
  )
  bindRoute(deps, routes.dryRunSchedule, async ({ userId, params: { scheduleId }, body: { rule }, answer }) => {
    kept().record(userId, scheduleId)
    return answer(200, toTrial(await engine.tryRule({ ownerId: userId, conversationId: null, rule })))
  })

  bindRoute(deps, routes.readInbox, async ({ userId, answer }) => {
    const items = await readInbox({ store, desks, schedules, clock }, userId)
    return answer(200, { items: items.slice(), needsYou: items.filter(isUrgent).length })
  })
  bindRoute(deps, routes.acknowledgeInbox, async ({ userId, body: { ids }, answer }) => {
    let acknowledged = 0
    for (const id of new Set(ids)) if (await acknowledge(userId, id)) acknowledged += 1
    return answer(200, { acknowledged })
  })

  async function markRead(userId: string, { conversationId, head }: ConversationListing): Promise<void> {
    await desks.markRead({ userId, conversationId }, head)
    onRead(conversationId)
  }

  /** Whether there was something of this name to be acknowledged. */
  async function acknowledge(userId: string, id: string): Promise<boolean> {
    const [kind, name = '', at] = id.split('/')
    if (kind === 'conversation') {
      const listing = await store.readListing(name)
      if (listing?.ownerId !== userId) return false
      await markRead(userId, listing)
      return true
    }
    if (kind !== 'schedule' || !schedules) return false
    try {
      const { pausedReason, news } = schedules.record(userId, name).value
      const seen = news.find((line) => occurrenceId(line) === at)
      if (at === 'paused' ? pausedReason === null : seen === undefined) return false
      await schedules.update(userId, name, (value) => ({
        ...(at === 'paused' ? withoutPause(value) : value),
        news: value.news.filter((line) => occurrenceId(line) !== at),
        moreNews: 0,
      }))
      // What the run brought is seen with it, and is not there once more as a conversation that ended.
      const listing = seen?.conversationId ? await store.readListing(seen.conversationId) : null
      if (listing?.ownerId === userId) await markRead(userId, listing)
      return true
    } catch (error) {
      if (error instanceof RefusedError || error instanceof RefusedCommandError) return false
      throw error
    }
  }
}

function isUrgent({ kind }: InboxItem): boolean {
  return kind === 'permission' || kind === 'question' || kind === 'client' || kind === 'schedule-paused'
}
