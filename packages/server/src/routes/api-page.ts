import { createHash } from 'node:crypto'
import { API_PAGE_STYLE, API_PATH, apiPageOf, routes } from '@holdfast/protocol'
import { type BindDeps, bindOpenRoute } from '../door/bind-route.ts'

/** Its one style, and nothing else. [SEC3] */
const STYLE_HASH = createHash('sha256').update(API_PAGE_STYLE).digest('base64')
const POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

/** Serves the description of the API for people, also under the short address. */
export function bindApiPage({ version, ...deps }: BindDeps & { readonly version: string }): void {
  // Made of every schema there is: when it is asked for, not at each start.
  let page: string | null = null
  bindOpenRoute(deps, routes.readApiPage, async ({ reply, answer }) => {
    page ??= apiPageOf(version)
    reply.type('text/html; charset=utf-8').header('content-security-policy', POLICY)
    return answer(200, page)
  })
  // Relative, so that it holds under any base path.
  deps.app.get('/docs/api', async (_request, reply) => reply.redirect(`..${API_PATH}${routes.readApiPage.path}`, 308))
}
