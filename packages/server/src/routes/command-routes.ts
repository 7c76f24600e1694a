import { type CommandPlace, commandRoutes, commands as commandTable, type Route, scopeOf } from '@holdfast/protocol'
import * as z from 'zod'
import { bindCommandRoute } from '../door/bind-command-route.ts'
import type { BindDeps } from '../door/bind-route.ts'
import { RefusedError } from '../parts/to-problem.ts'
import type { UserCommands } from '../parts/user-commands.ts'

/** What the routes of commands need. */
export interface CommandRoutesDeps extends BindDeps {
  readonly commands: Pick<UserCommands, 'carryOutRequest'>
}

/** Serves every command that is a route: its address, query and body are the frame that a socket would send. */
export function bindCommands({ commands, ...deps }: CommandRoutesDeps): void {
  const served = new Map(Object.entries<Route>(commandRoutes))
  for (const [key, { frame, place }] of Object.entries(commandTable)) {
    const route = served.get(key)
    if (place === null || route === undefined) continue
    bindCommandRoute(deps, route, async ({ principal, params, read }) => {
      const { reply } = await commands.carryOutRequest(principal, {
        scope: scopeOf(route),
        conversationId: route.access === 'owner' ? conversationOf(params) : null,
        read: () => {
          const { params: named, query, body } = read()
          const about = Object.entries(named).map(([parameter, value]) => [fieldOf(place, parameter), value])
          return frame.parse({
            ...query,
            ...body,
            ...Object.fromEntries(about),
            type: 'command',
            name: frame.shape.name.value,
          })
        },
      })
      if (reply === null) throw new Error(`${route.path} has no answer`)
      return reply()
    })
  }
}

const InConversation = z.object({ id: z.string() })

function conversationOf(params: unknown): string {
  const read = InConversation.safeParse(params)
  if (!read.success) throw new RefusedError(404, 'not-found', 'The address names no conversation')
  return read.data.id
}

/** The field of the frame that a parameter of an address is. */
function fieldOf({ names }: CommandPlace, parameter: string): string {
  return parameter === 'id' ? 'conversationId' : (names?.[parameter] ?? parameter)
}
