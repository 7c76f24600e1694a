import * as z from 'zod'
import type { Route } from '../parts/route.ts'
import { nothing } from '../parts/route-parts.ts'
import type { Scope } from '../parts/who-may.ts'

/** What the scope of a command may depend on. */
export interface AskedSettings {
  readonly commandId: string
  readonly agentId?: string
  readonly settings?: Readonly<Record<string, unknown>>
}

/** Where a command is a route too; `names` says which field a parameter of the address is, where it is called otherwise. */
export interface CommandPlace {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly params: z.ZodType
  readonly names?: Readonly<Record<string, string>>
  /** The body, where it is checked for more than its fields. */
  readonly body?: z.ZodType
  readonly answers: Route['answers']
}

/** One command, as data: what it asks for, what an API key needs for it, and where it is a route. */
export interface Command<
  Name extends string,
  About extends z.ZodRawShape,
  Fields extends z.ZodRawShape,
  Place extends CommandPlace | null,
> {
  /** What an API key needs for it, whichever way it comes in. [SEC1] */
  readonly scope: Scope | ((asked: AskedSettings) => Scope)
  /** What it is about: over HTTP the address names it. */
  readonly about: About
  readonly fields: Fields
  readonly frame: z.ZodObject<
    { readonly type: z.ZodLiteral<'command'>; readonly name: z.ZodLiteral<Name> } & About & Fields,
    z.core.$strict
  >
  readonly place: Place
}

/** A command of the table. */
export function command<
  const Name extends string,
  About extends z.ZodRawShape,
  Fields extends z.ZodRawShape,
  const Place extends CommandPlace | null,
>(
  name: Name,
  { about, fields, scope, place }: Omit<Command<Name, About, Fields, Place>, 'frame'>,
): Command<Name, About, Fields, Place> {
  const frame = z.strictObject({ type: z.literal('command'), name: z.literal(name), ...about, ...fields })
  return { about, fields, scope, place, frame }
}

type AnyCommand = Command<string, z.ZodRawShape, z.ZodRawShape, CommandPlace | null>

/** The route of a command that has one. */
export type CommandRoute<Known extends AnyCommand> = Known['place'] extends CommandPlace
  ? {
      readonly method: Known['place']['method']
      readonly path: string
      readonly access: 'user' | 'owner'
      readonly scope?: Scope
      readonly params: z.ZodType
      readonly query: z.ZodType
      readonly body: Known['place']['method'] extends 'DELETE'
        ? z.ZodUnknown
        : z.ZodObject<Known['fields'], z.core.$strict>
      readonly answers: Known['place']['answers']
    }
  : never

/** The routes of a table of commands, by the same names. */
export type CommandRoutes<Table extends Readonly<Record<string, AnyCommand>>> = {
  readonly [Key in keyof Table as Table[Key]['place'] extends null ? never : Key]: CommandRoute<Table[Key]>
}

/** The routes of those commands that have one: what is deleted has its fields in the query, all else in the body. */
export function routesOf<Table extends Readonly<Record<string, AnyCommand>>>(table: Table): CommandRoutes<Table>
export function routesOf(table: Readonly<Record<string, AnyCommand>>): Readonly<Record<string, Route>> {
  const routes: Record<string, Route> = {}
  for (const [key, { place, scope, about, fields }] of Object.entries(table)) {
    if (place === null) continue
    const { method, path, params, answers } = place
    const isDeletion = method === 'DELETE'
    routes[key] = {
      method,
      path,
      access: 'conversationId' in about ? 'owner' : 'user',
      ...(typeof scope === 'string' ? { scope } : {}),
      params,
      query: isDeletion ? z.object(fields) : nothing,
      body: isDeletion ? nothing : (place.body ?? z.strictObject(fields)),
      answers,
    }
  }
  return routes
}
