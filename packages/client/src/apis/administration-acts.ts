import {
  type AuditAnswer,
  ownRoutes,
  type PersonRow,
  type ReplicaRow,
  type ServerHealth,
  type SessionRow,
} from '@holdfast/protocol'
import type { HttpApi } from '../link/http-api.ts'

/** What administrators look at and do about people and servers. Everything throws {RequestFailedError} when it is refused. */
export interface AdministrationActs {
  listPeople(): Promise<readonly PersonRow[]>
  listSessionsOf(userId: string): Promise<readonly SessionRow[]>
  endSessionOf(userId: string, sessionId: string): Promise<void>
  /** A page of who settled which request for permission; `before` is the `next` of the page before, null for the first. */
  readAudit(before: string | null): Promise<AuditAnswer>
  readServerHealth(): Promise<ServerHealth>
  /** The servers on one database; none where a server has its store alone. */
  listReplicas(): Promise<readonly ReplicaRow[]>
}

/** Makes them. */
export function createAdministrationActs(ask: HttpApi): AdministrationActs {
  return {
    async listPeople() {
      const { listPeople: route } = ownRoutes
      return (await ask(route, route.answers[200], {})).people
    },
    async listSessionsOf(userId) {
      const { listSessionsOf: route } = ownRoutes
      return (await ask(route, route.answers[200], { params: { userId } })).sessions
    },
    async endSessionOf(userId, sessionId) {
      const { endSessionOf: route } = ownRoutes
      await ask(route, route.answers[200], { params: { userId, sessionId } })
    },
    readAudit(before) {
      const { readAudit: route } = ownRoutes
      return ask(route, route.answers[200], { query: before === null ? {} : { before } })
    },
    readServerHealth() {
      const { readServerHealth: route } = ownRoutes
      return ask(route, route.answers[200], {})
    },
    async listReplicas() {
      const { listReplicas: route } = ownRoutes
      return (await ask(route, route.answers[200], { query: { conversations: String(LISTED) } })).replicas
    },
  }
}

/** So many conversations of each server are named. */
const LISTED = 20
