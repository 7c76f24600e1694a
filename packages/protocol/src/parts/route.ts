import type * as z from 'zod'
import type { NeededScope } from './who-may.ts'

/**
 * Who may call a route: anyone, a signed-in user, only the owner of the conversation in `:id`, only the owner of
 * the record that its address names, or only an admin, about what belongs to the installation. [SEC1]
 */
export type Access = 'anyone' | 'user' | 'owner' | 'record' | 'admin'

/** One route, as data: what the server checks, what the client expects, what the documentation says. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path under `/api/v1`, with `:name` for parameters. */
  readonly path: string
  readonly access: Access
  /** What an API key needs for it, where `scopeOf` does not say it by itself. */
  readonly scope?: NeededScope
  /** Media type of the body, where it is not JSON. */
  readonly takes?: 'multipart/form-data' | 'application/octet-stream'
  /** Media type of the answer, where it is not JSON. */
  readonly gives?: 'application/octet-stream' | 'image/png' | 'text/event-stream' | 'text/html' | 'text/plain'
  readonly params: z.ZodType
  readonly query: z.ZodType
  readonly body: z.ZodType
  /** The answer of each status that is not a problem. */
  readonly answers: Readonly<Record<number, z.ZodType>>
}

/** The statuses of a route that are not problems. */
export type StatusOf<Known extends Route> = keyof Known['answers'] & number

/** The body of an answer with one of them. */
export type BodyOf<Known extends Route, Status extends StatusOf<Known>> = z.infer<Known['answers'][Status]>

/** What an API key needs for a route. Where the route does not say: to look needs `read`, to change needs `chat`. */
export function scopeOf({ access, method, scope }: Pick<Route, 'access' | 'method' | 'scope'>): NeededScope {
  if (scope !== undefined) return scope
  if (access === 'admin') return 'admin'
  return method === 'GET' ? 'read' : 'chat'
}
