import * as z from 'zod'
import type { Access, Route } from '../parts/route.ts'
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
  /** Whose it must be, where the command is about something else than a conversation. */
  readonly access?: Extract<Access, 'record'>
  readonly answers: Route['answers']
}

/** One command, as data: what it asks for, what an API key needs for it, and on which ways it comes in. */
export interface Command<
  Name extends string,
  About extends z.ZodRawShape,
  Fields extends z.ZodRawShape,
  Place extends CommandPlace | null,
  OnSocket extends boolean,
> {
  /** What an API key needs for it, whichever way it comes in. [SEC1] */
  readonly scope: Scope | ((asked: AskedSettings) => Scope)
  /** What it is about: over HTTP the address names it. */
  readonly about: About
  readonly fields: Fields
  /** At least one of these must be given: without any it asks for nothing. */
  readonly oneOf?: readonly (keyof Fields & string)[]
  /** All that is asked for, as one object. */
  readonly frame: z.ZodObject<
    { readonly type: z.ZodLiteral<'command'>; readonly name: z.ZodLiteral<Name> } & About & Fields,
    z.core.$strict
  >
  readonly place: Place
  /** Whether a socket takes the frame. */
  readonly onSocket: OnSocket
}

type Row<About extends z.ZodRawShape, Fields extends z.ZodRawShape, Place extends CommandPlace | null> = Pick<
  Command<string, About, Fields, Place, boolean>,
  'scope' | 'about' | 'fields' | 'oneOf' | 'place'
>

/** A command of the table that a socket takes, and a route where it has a place. */
export function command<
  const Name extends string,
  About extends z.ZodRawShape,
  Fields extends z.ZodRawShape & { readonly commandId: z.ZodType<string> },
  const Place extends CommandPlace | null,
>(name: Name, row: Row<About, Fields, Place>): Command<Name, About, Fields, Place, true> {
  return toCommand(name, row, true)
}

/**
 * A command of the table that is a route alone: its answer tells more than that it was taken, it waits for a run to begin,
 * or what it names makes it the same one when it is sent again, without an id.
 */
export function commandOfRoute<
  const Name extends string,
  About extends z.ZodRawShape,
  Fields extends z.ZodRawShape,
  const Place extends CommandPlace,
>(name: Name, row: Row<About, Fields, Place>): Command<Name, About, Fields, Place, false> {
  return toCommand(name, row, false)
}

function toCommand<
  Name extends string,
  About extends z.ZodRawShape,
  Fields extends z.ZodRawShape,
  Place extends CommandPlace | null,
  OnSocket extends boolean,
>(name: Name, row: Row<About, Fields, Place>, onSocket: OnSocket): Command<Name, About, Fields, Place, OnSocket> {
  const { about, fields, scope, oneOf, place } = row
  const frame = z.strictObject({ type: z.literal('command'), name: z.literal(name), ...about, ...fields })
  const known = { about, fields, scope, place, onSocket, frame: asking(frame, oneOf) }
  return oneOf === undefined ? known : { ...known, oneOf }
}

/** The schema of an object that asks for something: for at least one of these fields, where they are named. */
function asking<Schema extends z.ZodObject>(schema: Schema, oneOf: readonly string[] | undefined): Schema {
  if (oneOf === undefined) return schema
  const error = `asks for nothing; give at least one of ${oneOf.join(', ')}`
  return schema.refine((asked) => oneOf.some((field) => Object.hasOwn(asked, field)), { error })
}

type AnyCommand = Command<string, z.ZodRawShape, z.ZodRawShape, CommandPlace | null, boolean>

/** The route of a command that has one. */
export type CommandRoute<Known extends AnyCommand> = Known['place'] extends CommandPlace
  ? {
      readonly method: Known['place']['method']
      readonly path: string
      readonly access: 'user' | 'owner' | 'record'
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
  for (const [key, { place, scope, about, fields, oneOf }] of Object.entries(table)) {
    if (place === null) continue
    const { method, path, params, answers } = place
    const isDeletion = method === 'DELETE'
    routes[key] = {
      method,
      path,
      access: place.access ?? ('conversationId' in about ? 'owner' : 'user'),
      ...(typeof scope === 'string' ? { scope } : {}),
      params,
      query: isDeletion ? z.object(fields) : nothing,
      body: isDeletion ? nothing : asking(z.strictObject(fields), oneOf),
      answers,
    }
  }
  return routes
}

/** What a command with a place answers: one of its statuses with the body of it. */
export type ReplyOf<Place> = Place extends { readonly answers: infer Answers }
  ? { [Status in keyof Answers & number]: Reply<Status, Answers[Status]> }[keyof Answers & number]
  : never

interface Reply<Status, Answer> {
  readonly status: Status
  readonly body: Answer extends z.ZodType ? z.infer<Answer> : never
}
