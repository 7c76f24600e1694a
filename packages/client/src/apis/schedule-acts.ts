import { type BodyOf, type OccurrenceRow, ownRoutes, type ScheduleRow } from '@holdfast/protocol'
import type * as z from 'zod'
import type { HttpApi } from '../link/http-api.ts'
import { createRemoteValue, type RemoteValue } from '../values/remote-value.ts'

/** What a person says of a new schedule. */
export type NewSchedule = z.input<(typeof ownRoutes)['createSchedule']['body']>
/** What of a schedule is changed; what is absent stays. */
export type ScheduleChange = z.input<(typeof ownRoutes)['changeSchedule']['body']>
/** All that needs a person. */
export type Inbox = BodyOf<typeof ownRoutes.readInbox, 200>

/** Schedules and the inbox. Everything throws {RequestFailedError} when it is refused. */
export interface ScheduleActs {
  /** Read when somebody asks, and after every change made here. */
  readonly schedules: RemoteValue<BodyOf<typeof ownRoutes.listSchedules, 200>>
  readonly inbox: RemoteValue<Inbox>
  createSchedule(wanted: NewSchedule): Promise<ScheduleRow>
  changeSchedule(id: string, change: ScheduleChange): Promise<ScheduleRow>
  removeSchedule(id: string): Promise<void>
  runSchedule(id: string): Promise<OccurrenceRow>
  /** Stops those of its runs that are under way. */
  stopSchedule(id: string): Promise<void>
  /** A new address and secret for calls that set it off; those before end. */
  renewScheduleSecret(id: string): Promise<BodyOf<typeof ownRoutes.renewScheduleSecret, 200>>
  /** The newest first. */
  occurrences(id: string): Promise<readonly OccurrenceRow[]>
  /** When a rule that is not kept yet would run. */
  tryScheduleRule(wanted: z.input<(typeof ownRoutes)['tryScheduleRule']['body']>): Promise<readonly number[]>
  /** Says that these were seen, 500 at most. */
  acknowledge(ids: readonly string[]): Promise<void>
}

/** Makes them. */
export function createScheduleActs({
  ask,
  tellLater,
}: {
  readonly ask: HttpApi
  readonly tellLater: (tell: () => void) => void
}): ScheduleActs {
  const { listSchedules, readInbox } = ownRoutes
  const schedules = createRemoteValue(() => ask(listSchedules, listSchedules.answers[200], {}), tellLater)
  const inbox = createRemoteValue(() => ask(readInbox, readInbox.answers[200], {}), tellLater)
  const after = async <Value>(work: Promise<Value>): Promise<Value> => {
    const value = await work
    schedules.load()
    inbox.load()
    return value
  }
  return {
    schedules,
    inbox,
    createSchedule(body) {
      const { createSchedule: route } = ownRoutes
      return after(ask(route, route.answers[201], { body }))
    },
    changeSchedule(scheduleId, body) {
      const { changeSchedule: route } = ownRoutes
      return after(ask(route, route.answers[200], { params: { scheduleId }, body }))
    },
    async removeSchedule(scheduleId) {
      const { removeSchedule: route } = ownRoutes
      await after(ask(route, route.answers[200], { params: { scheduleId } }))
    },
    runSchedule(scheduleId) {
      const { runSchedule: route } = ownRoutes
      return after(ask(route, route.answers[202], { params: { scheduleId } }))
    },
    async stopSchedule(scheduleId) {
      const { stopSchedule: route } = ownRoutes
      await after(ask(route, route.answers[202], { params: { scheduleId } }))
    },
    renewScheduleSecret(scheduleId) {
      const { renewScheduleSecret: route } = ownRoutes
      return after(ask(route, route.answers[200], { params: { scheduleId } }))
    },
    async occurrences(scheduleId) {
      const { listOccurrences: route } = ownRoutes
      return (await ask(route, route.answers[200], { params: { scheduleId } })).occurrences
    },
    async tryScheduleRule(body) {
      const { tryScheduleRule: route } = ownRoutes
      return (await ask(route, route.answers[200], { body })).next
    },
    async acknowledge(ids) {
      const { acknowledgeInbox: route } = ownRoutes
      await ask(route, route.answers[200], { body: { ids: [...ids] } })
      inbox.load()
    },
  }
}
