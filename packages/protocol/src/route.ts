import type * as z from 'zod'

/**
 * Who may call a route: anyone, a signed-in user, only the owner of the conversation in `:id`, or only the owner of
 * the record that its address names. [SEC1]
 */
export type Access = 'anyone' | 'user' | 'owner' | 'record'

/** One route, as data: what the server checks, what the client expects, what the documentation says. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path under `/api/v1`, with `:name` for parameters. */
  readonly path: string
  readonly access: Access
  /** Media type of the body, where it is not JSON. */
  readonly takes?: 'multipart/form-data'
  /** Media type of the answer, where it is not JSON. */
  readonly gives?: 'application/octet-stream' | 'text/event-stream' | 'text/plain'
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
