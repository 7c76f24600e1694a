import { CommandFrame, type CommandPlace, commands as commandTable, type Route, routes } from '@holdfast/protocol'
import { type BindDeps, bindRoute } from '../door/bind-route.ts'
import type { UserCommands } from '../parts/user-commands.ts'

/** What the routes of commands need. */
export interface CommandRoutesDeps extends BindDeps {
  readonly commands: Pick<UserCommands, 'carryOut'>
}

/** Serves every command that is a route: its address, query and body are the frame that a socket would send. */
export function bindCommands({ commands, ...deps }: CommandRoutesDeps): void {
  const places = new Map<string, { readonly name: string; readonly place: CommandPlace }>()
  for (const [key, { frame, place }] of Object.entries(commandTable))
    if (place !== null) places.set(key, { name: frame.shape.name.value, place })
  for (const [key, route] of Object.entries<Route>(routes)) {
    const found = places.get(key)
    if (!found) continue
    const { name, place } = found
    bindRoute(deps, route, async ({ params, query, body, principal }) => {
      const named = Object.entries(params ?? {}).map(([parameter, value]) => [fieldOf(place, parameter), value])
      const asked = { ...(query ?? {}), ...(body ?? {}), ...Object.fromEntries(named), type: 'command', name }
      return (await commands.carryOut(principal, CommandFrame.parse(asked))).reply()
    })
  }
}

/** The field of the frame that a parameter of an address is. */
function fieldOf({ names }: CommandPlace, parameter: string): string {
  return parameter === 'id' ? 'conversationId' : (names?.[parameter] ?? parameter)
}
