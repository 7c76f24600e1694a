import { routes } from '@holdfast/protocol'
import { type BindDeps, bindOpenRoute, bindRoute } from '../door/bind-route.ts'
import type { McpDirectory } from '../parts/mcp-directory.ts'
import { RefusedError } from '../parts/to-problem.ts'

/** What the routes about MCP servers need. */
export interface McpRoutesDeps extends BindDeps {
  /** Null where there are none. */
  readonly mcp: McpDirectory | null
}

/** The longest that a server is asked for what it has, in milliseconds. */
const ASK_MS = 30_000

/** Serves the MCP servers: everyone sees which there are and what they offer, admins look after them. */
export function bindMcp({ mcp, ...deps }: McpRoutesDeps): void {
  function directory(): McpDirectory {
    if (mcp) return mcp
    throw new RefusedError(
      404,
      'unknown-mcp-server',
      'This installation has no MCP servers; its configuration names them',
    )
  }

  bindRoute(deps, routes.listMcpServers, async ({ principal, answer }) => {
    const rows = mcp?.list() ?? []
    if (principal.role === 'admin') return answer(200, { servers: [...rows] })
    const servers = rows.map((row) => ({
      ...row,
      reach: null,
      lastError: row.lastError && { at: row.lastError.at, text: null },
    }))
    return answer(200, { servers })
  })

  bindOpenRoute(deps, routes.endMcpSignIn, async ({ request, answer }) => {
    const callback = new URL(request.url, 'http://callback.invalid').searchParams
    const server = await directory().endSignIn(callback)
    if (server === null)
      throw new RefusedError(
        404,
        'not-found',
        'No sign-in waits for this answer. Begin it again from the tools of the page',
      )
    return answer(200, { server, message: `Signed in to ${server}. This page can be closed.` })
  })

  bindRoute(deps, routes.switchMcpServer, async ({ params, body, answer }) =>
    answer(200, await directory().switchTo(params.name, body.on)),
  )

  bindRoute(deps, routes.restartMcpServer, async ({ params, answer }) => answer(200, directory().restart(params.name)))

  bindRoute(deps, routes.acceptMcpChanges, async ({ params, body, answer }) =>
    answer(200, await directory().accept(params.name, body.offerHash)),
  )

  bindRoute(deps, routes.readMcpLog, async ({ params, answer }) => answer(200, directory().log(params.name)))

  bindRoute(deps, routes.listMcpMaterial, async ({ query, answer }) =>
    answer(200, await directory().material(query.server, AbortSignal.timeout(ASK_MS))),
  )

  bindRoute(deps, routes.readMcpResource, async ({ body, answer }) =>
    answer(200, { text: await directory().resource(body.server, body.uri, AbortSignal.timeout(ASK_MS)) }),
  )

  bindRoute(deps, routes.completeMcpValue, async ({ body: { server, ...asked }, answer }) =>
    answer(200, await directory().complete(server, asked, AbortSignal.timeout(ASK_MS))),
  )

  bindRoute(deps, routes.readMcpPrompt, async ({ body, answer }) => {
    const asked = { name: body.prompt, arguments: body.arguments }
    return answer(200, await directory().prompt(body.server, asked, AbortSignal.timeout(ASK_MS)))
  })
}
