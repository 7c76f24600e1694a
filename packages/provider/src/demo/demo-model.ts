import type { Clock } from '@holdfast/conversation'
import { type ModelPart, type ModelPort, type ModelRequest, ProviderError, type RequestUsage } from '../model-port.ts'
import { blockOf, DEMO_SCENARIOS, type DemoAct, type DemoScenario, unmatched } from './scenarios.ts'

/** Pieces are not sent more often than this; a faster pace sends more at once. */
const PIECE_MS = 16

/**
 * The offline model: a script, labelled as one. It is deterministic, needs no network, costs nothing and
 * never claims to understand. It stands behind the same port as every other model.
 */
export function createDemoModel({ clock }: { readonly clock: Clock }): ModelPort {
  return {
    providerId: 'demo',
    async *stream(request, signal) {
      const scenario = scenarioFor(request)
      const inputTokens = countTokens(JSON.stringify(request.messages))
      let outputTokens = 0
      if (scenario.reportsUsage) yield usage(inputTokens, 0)
      for (const [block, act] of scenario.acts.entries()) {
        if (act.type === 'break-off') return
        if (act.type === 'fail') throw new ProviderError(act.code, act.message, { status: act.status })
        yield { type: 'block-started', block, start: blockOf(act) }
        for (const text of pieces(act, scenario.tokensPerSecond)) {
          if (!(await pause(clock, PIECE_MS, signal))) return
          if (text === '') continue
          outputTokens += countTokens(text)
          yield { type: 'block-delta', block, text }
        }
        yield { type: 'block-ended', block }
      }
      if (scenario.reportsUsage) yield usage(inputTokens, outputTokens)
      yield { type: 'finish', finish: 'end' }
    },
  }
}

function scenarioFor(request: ModelRequest): DemoScenario {
  const words = lastWords(request).trim()
  const name = words.startsWith('/demo ') ? words.slice('/demo '.length).trim() : ''
  return DEMO_SCENARIOS.find((scenario) => scenario.name === name) ?? unmatched(words)
}

/** The person's last words: the parts after a stop marker stand in one message with it, so the last part counts. */
function lastWords({ messages }: ModelRequest): string {
  const last = messages.findLast((message) => message.role === 'user')
  const part = last?.role === 'user' ? last.parts.findLast(({ type }) => type === 'text') : undefined
  return part?.type === 'text' ? part.text : ''
}

/** The text cut at word ends, as many words at once as the pace asks for; at a slow pace some pieces are empty. */
function* pieces({ text }: Extract<DemoAct, { text: string }>, tokensPerSecond: number): Generator<string> {
  const words = text.match(/\s*\S+|\s+$/gu) ?? []
  const perPiece = (tokensPerSecond * PIECE_MS) / 1_000
  let due = 0
  let start = 0
  while (start < words.length) {
    due += perPiece
    const count = Math.floor(due)
    due -= count
    yield words.slice(start, start + count).join('')
    start += count
  }
}

/** @returns false when the signal was aborted in the meantime. */
async function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return false
  await new Promise<void>((resolve) => {
    const done = (): void => {
      cancel()
      signal.removeEventListener('abort', done)
      resolve()
    }
    const cancel = clock.after(ms, done)
    signal.addEventListener('abort', done, { once: true })
  })
  return !signal.aborted
}

/** The script's own count: words. It is labelled as a demo wherever it is shown. */
function countTokens(text: string): number {
  return text.match(/\S+/gu)?.length ?? 0
}

function usage(inputTokens: number, outputTokens: number): ModelPart {
  const figures: RequestUsage = {
    inputTokens,
    cacheReadTokens: 0,
    cacheCreation5mTokens: 0,
    cacheCreation1hTokens: 0,
    outputTokens,
    thinkingTokens: 0,
  }
  return { type: 'usage', usage: figures }
}
