import type * as z from 'zod'

/** Who may call a route: anyone, a signed-in user, or only the owner of the conversation in `:id`. [SEC1] */
export type Access = 'anyone' | 'user' | 'owner'

/** One route, as data: what the server checks, what the client expects, what the documentation says. */
export interface Route<Params, Query, Body, Answers extends Readonly<Record<number, z.ZodType>>> {
  readonly method: 'GET' | 'POST'
  /** Path under `/api/v1`, with `:name` for parameters. */
  readonly path: string
  readonly access: Access
  readonly params: z.ZodType<Params>
  readonly query: z.ZodType<Query>
  readonly body: z.ZodType<Body>
  /** The answer of each status that is not a problem. */
  readonly answers: Answers
}

/** Any route. */
export type AnyRoute = Route<unknown, unknown, unknown, Readonly<Record<number, z.ZodType>>>

/** A route with the types of its schemas. */
export function defineRoute<Params, Query, Body, const Answers extends Readonly<Record<number, z.ZodType>>>(
  route: Route<Params, Query, Body, Answers>,
): Route<Params, Query, Body, Answers> {
  return route
}

/** An answer to a route: a status and the body that it has. */
export type AnswerOf<Answers extends Readonly<Record<number, z.ZodType>>> = {
  readonly [Status in keyof Answers & number]: { readonly status: Status; readonly body: z.infer<Answers[Status]> }
}[keyof Answers & number]
