import type { Clock } from '@holdfast/conversation'
import type { ModelChoice } from '@holdfast/engine'
import type { ProviderTest } from '@holdfast/protocol'
import { type ModelPort, type ModelRequest, type ModelTool, noBlobs, ProviderError } from '@holdfast/provider'
import { askModels, problemOf } from './ask-models.ts'
import type { ProviderSetup } from './provider-setup.ts'

/** What is tested. */
export interface TestedProvider {
  readonly setup: ProviderSetup
  readonly port: ModelPort
  /** The models that are known of it, the usual one first. */
  readonly models: readonly ModelChoice[]
}

const PING: ModelTool = {
  name: 'ping',
  description: 'Answers with the word it is given. Call it when you are asked to.',
  parameters: {
    type: 'object',
    properties: { word: { type: 'string' } },
    required: ['word'],
    additionalProperties: false,
  },
}

/** Models that think before they answer need some room for it. */
const MAX_OUTPUT_TOKENS = 1_024

/** Asks a provider for its models, then one model for a few words and for a tool call. Costs next to nothing. */
export async function testProvider(
  { setup, port, models }: TestedProvider,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<ProviderTest> {
  const problems: string[] = []
  const started = clock.monotonicMs()
  const listed = await attempt(() => askModels(setup, signal))
  const latencyMs = clock.monotonicMs() - started
  const modelId = models[0]?.providerModelId ?? (listed.ok ? listed.value?.[0]?.modelId : undefined) ?? null
  const words = listed.ok && modelId !== null ? await attempt(() => firstWordsMs(modelId)) : null
  const call = words?.ok && modelId !== null ? await attempt(() => callsTool(modelId)) : null
  return {
    at: clock.now(),
    models: listed.ok ? 'ok' : 'failed',
    latencyMs: listed.ok ? Math.round(latencyMs) : null,
    // Some have no list that a key may read; what is known of them then counts.
    modelCount: listed.ok ? (listed.value?.length ?? models.length) : null,
    modelId: words ? modelId : null,
    streaming: words === null ? 'skipped' : words.ok ? 'ok' : 'failed',
    firstWordsMs: words?.ok ? Math.round(words.value) : null,
    tools: call === null ? 'skipped' : call.ok ? 'ok' : 'failed',
    problem: problems[0] ?? null,
  }

  async function attempt<Value>(work: () => Promise<Value>): Promise<{ ok: true; value: Value } | { ok: false }> {
    try {
      return { ok: true, value: await work() }
    } catch (error) {
      if (signal.aborted) problems.push('The provider did not answer in time')
      else if (error instanceof ProviderError) problems.push(problemOf(setup, error))
      else throw error
      return { ok: false }
    }
  }

  async function firstWordsMs(model: string): Promise<number> {
    const asked = clock.monotonicMs()
    let first: number | null = null
    await port.stream(requestOf(model, 'Say the word "ready".', []), {
      signal,
      blobs: noBlobs,
      onPart(part) {
        if (part.type === 'block-delta') first ??= clock.monotonicMs() - asked
        return undefined
      },
    })
    if (first !== null) return first
    throw new ProviderError('bad-request', `${model} answered without a word`, {})
  }

  async function callsTool(model: string): Promise<void> {
    const ask = 'Call the tool ping with the word "ready". Write nothing else.'
    let isCalled = false
    await port.stream(requestOf(model, ask, [PING]), {
      signal,
      blobs: noBlobs,
      onPart(part) {
        if (part.type === 'block-started' && part.start.type === 'tool-call') isCalled = true
        return undefined
      },
    })
    if (!isCalled)
      throw new ProviderError('bad-request', `${model} did not call the tool that it was asked to call`, {})
  }
}

function requestOf(modelId: string, text: string, tools: readonly ModelTool[]): ModelRequest {
  return {
    modelId,
    system: 'You are being tested. Do exactly what you are asked.',
    tools,
    toolChoice: 'auto',
    messages: [{ role: 'user', parts: [{ type: 'text', text }] }],
    maxOutputTokens: MAX_OUTPUT_TOKENS,
    thinkingBudgetTokens: null,
    parameters: {},
    cacheMarks: null,
  }
}
