import type { ModelPart, ModelPort, ModelRequest } from '@holdfast/provider'
import type { ModelScript } from './model-script.ts'
import type { Scheduler, SimulatedProcess } from './scheduler.ts'

/** What a simulated model is made of. */
export interface SimulatedModelParts {
  readonly providerId: string
  readonly scheduler: Scheduler
  /** The replica that asks: when it dies, its line dies. */
  readonly process: SimulatedProcess
  /** Told of every request at the moment at which it is made. */
  readonly onRequest: (request: ModelRequest, signal: AbortSignal) => ModelScript
  /** Told of every event that the reader is given. */
  readonly onEvent: (request: ModelRequest) => void
}

/** A provider that plays what the seed made up; every event is a thing of the scheduler. */
export function createSimulatedModel(parts: SimulatedModelParts): ModelPort {
  return {
    providerId: parts.providerId,
    stream: (request, signal) => ({ [Symbol.asyncIterator]: () => play(parts, { request, signal }) }),
  }
}

interface Playing {
  readonly request: ModelRequest
  readonly signal: AbortSignal
}

/** As with the real adapters, the request is made when its first event is asked for. */
function play(
  { scheduler, process, onRequest, onEvent }: SimulatedModelParts,
  { request, signal }: Playing,
): AsyncIterator<ModelPart> {
  let index = 0
  let script: ModelScript | null = null
  const done = { done: true, value: undefined } as const
  const never = new Promise<never>(() => {})

  async function aborted(): Promise<void> {
    if (signal.aborted) return
    await new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve(), { once: true })
    })
  }

  return {
    async next() {
      script ??= onRequest(request, signal)
      const act = script.acts[index]
      index += 1
      if (!act) return done
      switch (act.type) {
        case 'fall-silent':
          await (script.ignoresSignal ? never : aborted())
          return done
        case 'break-off':
          await scheduler.hop(process, 'the provider breaks off')
          return done
        case 'fail':
          await scheduler.hop(process, `the provider fails with ${act.error.code}`)
          throw act.error
        case 'part':
          if (act.delayMs > 0) await scheduler.hopAfter(process, act.delayMs, `the provider sends ${act.part.type}`)
          else await scheduler.hop(process, `the provider sends ${act.part.type}`)
          if (signal.aborted && !script.ignoresSignal) throw new DOMException('This request was aborted', 'AbortError')
          onEvent(request)
          return { done: false, value: act.part }
      }
    },
    async return() {
      if (script?.ignoresSignal) await never
      await scheduler.hop(process, 'the provider closes its line')
      return done
    },
  }
}
