import type { ToolContext } from '@holdfast/tool'
import type * as z from 'zod'
import type { Elicit, ElicitParameters, ServerAnswer } from './elicit.ts'
import type { ServerLog } from './server-log.ts'

/** The calls that a server runs now. */
export interface RunningCalls {
  count(): number
  /** Runs one, known while it runs. */
  during<Result>(call: RunningCall, run: () => Promise<Result>): Promise<Result>
  /** A question of the server for whoever made the call. */
  elicit(asked: z.infer<typeof ElicitParameters>, signal: AbortSignal): Promise<ServerAnswer>
}

/** A call and its way to a person. */
export interface RunningCall {
  readonly context: ToolContext
  readonly elicit: Elicit
}

/** No call runs yet. */
export function createRunningCalls({
  server,
  log,
}: {
  readonly server: string
  readonly log: ServerLog
}): RunningCalls {
  const running = new Set<RunningCall>()
  return {
    count: () => running.size,
    async during(call, run) {
      running.add(call)
      try {
        return await run()
      } finally {
        running.delete(call)
      }
    },
    async elicit(asked, signal) {
      if (asked.mode !== undefined && asked.mode !== 'form') return { type: 'decline' }
      const [only, ...others] = running
      // A server does not say for which call it asks: with several, one person would answer for another.
      if (only === undefined || others.length > 0) {
        log.add('connection', `It asked a question while ${running.size} calls ran: there is nobody to ask`)
        return { type: 'cancel' }
      }
      const { context } = only
      const goOn = context.suspend()
      try {
        const question = { server, callId: context.callId, message: asked.message, schema: asked.requestedSchema ?? {} }
        return await only.elicit(question, { signal: AbortSignal.any([signal, context.signal]) })
      } finally {
        goOn()
      }
    },
  }
}
