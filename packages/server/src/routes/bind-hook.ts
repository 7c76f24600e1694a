import { HOOK_HEADERS, HOOK_LIMITS, routes } from '@holdfast/protocol'
import type { FastifyRequest } from 'fastify'
import { type BindDeps, bindOpenRoute } from '../door/bind-route.ts'
import { RefusedError } from '../parts/to-problem.ts'
import type { ScheduleDirectory } from '../schedules/schedule-directory.ts'

/** Serves the addresses of schedules that calls set off: whoever signs may call. [SCHED19, SCHED20] */
export function bindHook(deps: BindDeps, schedules: ScheduleDirectory | null): void {
  // In a scope of its own: only here is any body taken as bytes, and a shorter one than elsewhere.
  void deps.app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: HOOK_LIMITS.bodyBytes },
      (_request, payload, done) => done(null, payload),
    )
    bindOpenRoute({ ...deps, app: scope }, routes.callHook, async ({ params: { hookId }, request, body, answer }) => {
      if (!schedules) throw new RefusedError(404, 'unknown-schedule', 'There is no such address')
      const became = await schedules.scheduler.hooks.receive({
        hookId,
        timestamp: headerOf(request, HOOK_HEADERS.timestamp),
        signature: headerOf(request, HOOK_HEADERS.signature),
        body: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
      })
      return answer(202, { state: became })
    })
  })
}

function headerOf({ headers }: FastifyRequest, name: string): string {
  const value = headers[name]
  return typeof value === 'string' ? value : ''
}
