import { MCP_SIGN_IN_FRAGMENT, type Role, routes } from '@holdfast/protocol'
import type { FastifyRequest } from 'fastify'
import type { Accounts } from '../accounts/open-accounts.ts'
import { type BindDeps, bindOpenRoute, bindRoute, toIncomingRequest } from '../door/bind-route.ts'
import type { AskedResource } from '../parts/attachments.ts'
import type { McpDirectory } from '../parts/mcp-directory.ts'
import type { Principal } from '../parts/principal.ts'
import { RefusedError } from '../parts/to-problem.ts'

/** What the routes about MCP servers need. */
export interface McpRoutesDeps extends BindDeps {
  /** Null where there are none. */
  readonly mcp: McpDirectory | null
  /** Null in token mode. */
  readonly accounts: Accounts | null
}

/** The longest that a server is asked for what it has, in milliseconds. */
const ASK_MS = 30_000

/** Serves the MCP servers: everyone sees which there are and what they offer, admins look after them. */
export function bindMcp({ mcp, accounts, ...deps }: McpRoutesDeps): void {
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
      state: row.state.type === 'needs-sign-in' ? { type: row.state.type, url: null } : row.state,
      lastError: row.lastError && { at: row.lastError.at, text: null },
    }))
    return answer(200, { servers })
  })

  bindRoute(deps, routes.beginMcpSignIn, async ({ params, principal, answer }) =>
    answer(200, { url: directory().beginSignIn(params.name, sessionOf(principal)) }),
  )

  bindOpenRoute(deps, routes.endMcpSignIn, async ({ request, reply, answer }) => {
    const asked = new URL(request.url, 'http://callback.invalid')
    const callback = asked.searchParams
    const principal = await knownPrincipal(request)
    if (principal === null && request.headers.accept?.includes('text/html') === true) {
      reply.header('location', `../../../#${MCP_SIGN_IN_FRAGMENT}${callback}`)
      return answer(303, {})
    }
    if (principal?.role !== 'admin' || !principal.scopes.includes('admin'))
      throw new RefusedError(403, 'forbidden', 'Only the session of the admin who began a sign-in ends it')
    const who = { session: sessionOf(principal), name: accounts?.people.find(principal.userId)?.name ?? 'the operator' }
    const server = await directory().endSignIn(callback, who)
    if (server === null)
      throw new RefusedError(
        404,
        'not-found',
        'No sign-in waits for this answer. Begin it again from the tools of the page',
      )
    return answer(200, { server, message: `Signed in to ${server}. This page can be closed.` })
  })

  /** Who asks, where that is known. */
  async function knownPrincipal(request: FastifyRequest): Promise<Principal | null> {
    try {
      return await deps.gate.principalOf(toIncomingRequest(request))
    } catch (error) {
      if (error instanceof RefusedError && error.status === 401) return null
      throw error
    }
  }

  bindRoute(deps, routes.switchMcpServer, async ({ params, body, answer }) =>
    answer(200, await directory().switchTo(params.name, body.on)),
  )

  bindRoute(deps, routes.restartMcpServer, async ({ params, answer }) => answer(200, directory().restart(params.name)))

  bindRoute(deps, routes.acceptMcpChanges, async ({ params, body, answer }) =>
    answer(200, await directory().accept(params.name, body.offerHash)),
  )

  bindRoute(deps, routes.readMcpLog, async ({ params, answer }) => answer(200, directory().log(params.name)))

  bindRoute(deps, routes.listMcpMaterial, async ({ query, principal, answer }) => {
    checkOpen(directory(), query.server, principal.role)
    return answer(200, await directory().material(query.server, AbortSignal.timeout(ASK_MS)))
  })

  bindRoute(deps, routes.readMcpResource, async ({ body, principal, answer }) => {
    checkOpen(directory(), body.server, principal.role)
    return answer(200, { text: await directory().resource(body.server, body.uri, AbortSignal.timeout(ASK_MS)) })
  })

  bindRoute(deps, routes.completeMcpValue, async ({ body: { server, ...asked }, principal, answer }) => {
    checkOpen(directory(), server, principal.role)
    return answer(200, await directory().complete(server, asked, AbortSignal.timeout(ASK_MS)))
  })

  bindRoute(deps, routes.readMcpPrompt, async ({ body, principal, answer }) => {
    checkOpen(directory(), body.server, principal.role)
    const asked = { name: body.prompt, arguments: body.arguments }
    return answer(200, await directory().prompt(body.server, asked, AbortSignal.timeout(ASK_MS)))
  })
}

/** Reads resources for users, as far as they may use the server. [SEC23] */
export function resourceReader(mcp: McpDirectory, accounts: Accounts | null) {
  return async ({ userId, server, uri, signal }: AskedResource): Promise<string> => {
    checkOpen(mcp, server, accounts ? (accounts.people.find(userId)?.role ?? 'user') : 'admin')
    return mcp.resource(server, uri, signal)
  }
}

/** Checks that a sign-in with a server may be used for somebody. @throws {RefusedError} [SEC23] */
function checkOpen(mcp: McpDirectory, server: string, role: Role): void {
  if (mcp.isOpenTo(server, role)) return
  throw new RefusedError(
    403,
    'forbidden',
    `The MCP server ${server} is used with somebody's own sign-in, which is for admins; the operator's file can share it`,
  )
}

/** Names the session of somebody; the operator has one, in the terminal and in every browser. */
function sessionOf({ credential }: Principal): string {
  switch (credential.type) {
    case 'start-up-token':
    case 'cookie':
      return 'operator'
    case 'session':
      return `session ${credential.sessionId}`
    case 'api-key':
      return `key ${credential.keyId}`
  }
}
