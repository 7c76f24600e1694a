import type { Entry, EntryOf } from '@holdfast/conversation'
import { context, type Span, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api'

/**
 * Tells a tracer of runs, requests to models and tool calls, by the names that OpenTelemetry has for generative
 * models. No attribute holds what a person or a model wrote. [SEC4]
 *
 * @see https://opentelemetry.io/docs/specs/semconv/gen-ai/
 */
export function createSpanObserver(tracer: Tracer): (entry: Entry) => void {
  const runs = new Map<string, Span>()
  const steps = new Map<string, Span>()
  const calls = new Map<string, Span>()
  /** When steps ended whose usage is not known yet. */
  const ended = new Map<string, number>()

  function begin(entry: Entry & { readonly runId: string }, name: string, attributes: Record<string, string>): Span {
    const parent = runs.get(entry.runId)
    const within = parent ? trace.setSpan(context.active(), parent) : context.active()
    const place = { 'gen_ai.conversation.id': entry.conversationId, 'holdfast.run.id': entry.runId }
    return tracer.startSpan(name, { startTime: entry.at, attributes: { ...place, ...attributes } }, within)
  }

  function endStep(stepId: string, at: number): void {
    steps.get(stepId)?.end(at)
    steps.delete(stepId)
    ended.delete(stepId)
  }

  function onUsage({ stepId, at, ...used }: EntryOf<'usage-recorded'>): void {
    if (stepId === undefined) return
    const cached = used.cacheReadTokens + used.cacheCreation5mTokens + used.cacheCreation1hTokens
    steps.get(stepId)?.setAttributes({
      'gen_ai.usage.input_tokens': used.inputTokens + cached,
      'gen_ai.usage.output_tokens': used.outputTokens,
      'gen_ai.usage.cache_read.input_tokens': used.cacheReadTokens,
    })
    endStep(stepId, ended.get(stepId) ?? at)
  }

  function onRunFinished({ runId, outcome, at }: EntryOf<'run-finished'>): void {
    for (const [stepId, endedAt] of ended) endStep(stepId, endedAt)
    const span = runs.get(runId)
    span?.setAttribute('holdfast.run.outcome', outcome)
    if (outcome === 'failed') span?.setStatus({ code: SpanStatusCode.ERROR })
    span?.end(at)
    runs.delete(runId)
  }

  return (entry) => {
    switch (entry.type) {
      case 'run-started': {
        const attributes = { 'gen_ai.operation.name': 'invoke_agent', 'holdfast.run.purpose': entry.purpose }
        runs.set(entry.runId, begin(entry, 'invoke_agent', attributes))
        return
      }
      case 'step-started':
        steps.set(
          entry.stepId,
          begin(entry, `chat ${entry.modelId}`, {
            'gen_ai.operation.name': 'chat',
            'gen_ai.provider.name': entry.providerId,
            'gen_ai.request.model': entry.modelId,
          }),
        )
        return
      case 'step-finished':
        steps.get(entry.stepId)?.setAttribute('gen_ai.response.finish_reasons', [entry.finish])
        ended.set(entry.stepId, entry.at)
        return
      case 'step-failed':
        steps.get(entry.stepId)?.setAttribute('error.type', entry.error.code)
        steps.get(entry.stepId)?.setStatus({ code: SpanStatusCode.ERROR })
        ended.set(entry.stepId, entry.at)
        return
      case 'usage-recorded':
        onUsage(entry)
        return
      case 'tool-call-started':
        calls.set(
          entry.callId,
          begin(entry, `execute_tool ${entry.name}`, {
            'gen_ai.operation.name': 'execute_tool',
            'gen_ai.tool.name': entry.name,
            'gen_ai.tool.call.id': entry.callId,
          }),
        )
        return
      case 'tool-call-settled': {
        const span = calls.get(entry.callId)
        span?.setAttribute('holdfast.tool.outcome', entry.outcome)
        if (entry.outcome !== 'ok') span?.setStatus({ code: SpanStatusCode.ERROR })
        span?.end(entry.at)
        calls.delete(entry.callId)
        return
      }
      case 'run-finished':
        onRunFinished(entry)
        return
      default:
        return
    }
  }
}
