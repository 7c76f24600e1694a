import { untilAborted } from '@holdfast/conversation'
import type { ModelPort, ModelRequest, StreamPorts } from '@holdfast/provider'
import type { ModelScript } from './model-script.ts'
import type { Scheduler, SimulatedProcess } from './scheduler.ts'

/** What a simulated model is made of. */
export interface SimulatedModelParts {
  readonly providerId: string
  readonly scheduler: Scheduler
  /** The replica that asks: when it dies, its line dies. */
  readonly process: SimulatedProcess
  /** Told of every request at the moment at which it is made. */
  readonly onRequest: (request: ModelRequest, ports: Pick<StreamPorts, 'signal' | 'turn'>) => ModelScript
  /** Told of every event that the reader is given. */
  readonly onEvent: (request: ModelRequest) => void
  /** Told when nothing of it comes any more, however it ended. */
  readonly onEnd: (request: ModelRequest) => void
}

/** A provider that plays what the seed made up; every event is a thing of the scheduler. */
export function createSimulatedModel(parts: SimulatedModelParts): ModelPort {
  return {
    providerId: parts.providerId,
    stream(request, ports) {
      const script = parts.onRequest(request, ports)
      const played = Promise.race([play(parts, { request, script, ports }), closed(parts, { script, ports })])
      const end = (): void => parts.onEnd(request)
      played.then(end, end)
      return played
    },
  }
}

interface Playing {
  readonly request: ModelRequest
  readonly script: ModelScript
  readonly ports: StreamPorts
}

/** A source that ignores its signal goes on also then: nobody may take what it sends. [RUN19] */
async function play(
  { scheduler, process, onEvent }: SimulatedModelParts,
  { request, script, ports: { signal, onPart } }: Playing,
): Promise<void> {
  for (const act of script.acts) {
    switch (act.type) {
      case 'fall-silent':
        return new Promise<never>(() => {})
      case 'break-off':
        return scheduler.hop(process, 'the provider breaks off')
      case 'fail':
        await scheduler.hop(process, `the provider fails with ${act.error.code}`)
        throw act.error
      case 'part':
        if (act.delayMs > 0) await scheduler.hopAfter(process, act.delayMs, `the provider sends ${act.part.type}`)
        else await scheduler.hop(process, `the provider sends ${act.part.type}`)
        if (signal.aborted && !script.ignoresSignal) throw new DOMException('This request was aborted', 'AbortError')
        if (!signal.aborted) onEvent(request)
        await onPart(act.part)
    }
  }
}

async function closed(
  { scheduler, process }: SimulatedModelParts,
  { script, ports: { signal } }: Omit<Playing, 'request'>,
): Promise<void> {
  await (script.ignoresSignal ? new Promise<never>(() => {}) : untilAborted(signal))
  await scheduler.hop(process, 'the provider closes its line')
}
