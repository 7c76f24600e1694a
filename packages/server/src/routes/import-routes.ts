import { routes } from '@holdfast/protocol'
import type { FastifyRequest } from 'fastify'
import { type BindDeps, bindRoute } from '../door/bind-route.ts'
import type { FoundLogsPort } from '../imports/found-logs.ts'
import type { Imports } from '../imports/imports.ts'
import { RefusedError } from '../parts/to-problem.ts'

/** What the routes of imports need. */
export interface ImportRoutesDeps extends BindDeps {
  /** Null where the server has no folder for files. */
  readonly imports: Imports | null
  /** Absent where the disk is not looked at. */
  readonly foundLogs?: FoundLogsPort
  /** @throws {RefusedError} when the server is about to end. */
  readonly checkAccepting: () => void
}

/** Serves imports: files in, and what became of them. */
export function bindImports({ imports, foundLogs, checkAccepting, app, ...deps }: ImportRoutesDeps): void {
  function there(): Imports {
    if (imports) return imports
    throw new RefusedError(503, 'not-ready', 'This server has no folder for files, so it imports nothing')
  }

  // In a scope of its own: only here is a body taken as it comes, in pieces, and of any size.
  void app.register(async (scope) => {
    scope.addContentTypeParser('application/octet-stream', (_request, payload, done) => done(null, payload))
    bindRoute({ ...deps, app: scope }, routes.startImport, async ({ query, request, userId, answer }) => {
      const { name, format, since, dryRun } = query
      checkAccepting()
      return answer(
        202,
        await there().begin(userId, {
          name,
          isDryRun: dryRun,
          only: format ?? null,
          since: since ?? null,
          content: bodyOf(request),
        }),
      )
    })
  })

  bindRoute({ ...deps, app }, routes.listFoundLogs, async ({ answer }) =>
    answer(200, { found: [...((await foundLogs?.list()) ?? [])] }),
  )

  bindRoute({ ...deps, app }, routes.importFoundLogs, async ({ params: { foundId }, userId, answer }) => {
    if (foundLogs === undefined) throw new RefusedError(404, 'not-found', 'This server looks for no logs on its disk')
    checkAccepting()
    const { name, format, content } = await foundLogs.open(foundId)
    return answer(202, await there().begin(userId, { name, isDryRun: false, only: format, since: null, content }))
  })

  bindRoute({ ...deps, app }, routes.listImports, async ({ userId, answer }) =>
    answer(200, { imports: await there().list(userId) }),
  )

  bindRoute({ ...deps, app }, routes.readImport, async ({ params: { importId }, query: { waitMs }, userId, answer }) =>
    answer(200, await there().read({ userId, importId }, waitMs)),
  )

  bindRoute({ ...deps, app }, routes.cancelImport, async ({ params: { importId }, userId, answer }) =>
    answer(200, await there().cancel({ userId, importId })),
  )
}

/** The body as it arrives. @throws {RefusedError} when it is of another kind, or the line breaks inside it. */
async function* bodyOf({ headers, raw }: FastifyRequest): AsyncGenerator<Uint8Array> {
  if (headers['content-type'] !== 'application/octet-stream')
    throw new RefusedError(415, 'unsupported-media-type', 'A file is sent as the body, as application/octet-stream')
  try {
    for await (const piece of raw) yield piece
  } catch (cause) {
    if (!(cause instanceof Error)) throw cause
    throw new RefusedError(400, 'bad-request', `The file did not arrive in whole: ${cause.message}. Send it again`)
  }
}
