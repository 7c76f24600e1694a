import { type Clock, type Ids, waitFor } from '@holdfast/conversation'
import { type ModelPart, type ModelPort, type ModelRequest, ProviderError, type RequestUsage } from '../model-port.ts'
import { blockOf, type DemoAct, type DemoScenario, wordsOf } from './demo-act.ts'
import { previewAnswer } from './preview-scenarios.ts'
import { readTask } from './read-request.ts'
import { DEMO_SCENARIOS, unmatched } from './scenarios.ts'
import { summaryScenario, titleScenario } from './side-requests.ts'
import { toolsMissing } from './tool-scenarios.ts'

/** Pieces are not sent more often than this; a faster pace sends more at once. */
const PIECE_MS = 16

/**
 * The offline model: a script, labelled as one. It is deterministic, needs no network, costs nothing and
 * never claims to understand. It stands behind the same port as every other model, and calls the real tools.
 */
export function createDemoModel({ clock, ids }: { readonly clock: Clock; readonly ids: Ids }): ModelPort {
  /** Refusals in a row, of one scenario. */
  let refused = { name: '', count: 0 }
  return {
    providerId: 'demo',
    async stream(request, { signal, onPart }) {
      const { scenario, acts, argument } = partFor(request, (name) => (refused.name === name ? refused.count : 0))
      const inputTokens = scenario.inputTokensOf?.(argument) ?? tokensOf(wholeText(request).length)
      let outputChars = 0
      /** @returns false when nothing more may be said. */
      const say = async (part: ModelPart): Promise<boolean> => {
        if (!signal.aborted) await onPart(part)
        return !signal.aborted
      }
      if (scenario.reportsUsage && !(await say(usage(inputTokens, 0)))) return
      for (const [block, act] of acts.entries()) {
        if (act.type === 'break-off') return
        if (act.type === 'fail') {
          refused = { name: scenario.name, count: refused.name === scenario.name ? refused.count + 1 : 1 }
          const { status, retryAfterMs } = act
          throw new ProviderError(act.code, act.message, { status, retryAfterMs })
        }
        if (!(await say({ type: 'block-started', block, start: blockOf(act, () => ids.next('call')) }))) return
        for (const text of pieces(wordsOf(act), scenario.tokensPerSecond)) {
          if (!(await pause(clock, PIECE_MS, signal))) {
            if (scenario.stopMs !== undefined) await waitFor(clock, scenario.stopMs, new AbortController().signal)
            return
          }
          if (text === '') continue
          outputChars += text.length
          if (!(await say({ type: 'block-delta', block, text }))) return
        }
        if (!(await say({ type: 'block-ended', block }))) return
      }
      refused = { name: '', count: 0 }
      if (scenario.reportsUsage && !(await say(usage(inputTokens, tokensOf(outputChars))))) return
      await say({ type: 'finish', finish: acts.some(({ type }) => type === 'call') ? 'tool-calls' : 'end' })
    },
  }
}

/** All that a model would read. */
function wholeText({ system, tools, messages }: ModelRequest): string {
  return system + JSON.stringify(tools) + JSON.stringify(messages)
}

/** What is to be done for a request, and in which scenario. */
interface DemoPart {
  readonly scenario: DemoScenario
  readonly acts: readonly DemoAct[]
  readonly argument: string
}

function partFor(request: ModelRequest, refusedCountOf: (name: string) => number): DemoPart {
  const task = readTask(request)
  if (task.type !== 'turn') {
    const scenario = task.type === 'title' ? titleScenario(request) : summaryScenario(request)
    return { scenario, acts: scenario.acts({ step: 0, results: [], argument: '', refusedCount: 0 }), argument: '' }
  }
  const { words, name, data, progress } = task
  const scenario =
    DEMO_SCENARIOS.find((one) => one.name === name) ?? (name === '' ? previewAnswer(data) : null) ?? unmatched(words)
  const { argument } = progress
  const missing = toolsNotOffered(scenario, request)
  if (missing.length > 0) return { scenario, acts: toolsMissing(scenario, missing), argument }
  return { scenario, acts: scenario.acts({ ...progress, refusedCount: refusedCountOf(scenario.name) }), argument }
}

function toolsNotOffered({ needs }: DemoScenario, { tools, toolChoice }: ModelRequest): readonly string[] {
  const offered = new Set(toolChoice === 'none' ? [] : tools.map(({ name }) => name))
  return needs.filter((tool) => !offered.has(tool))
}

/** The text cut at word ends, as many words at once as the pace asks for; at a slow pace some pieces are empty. */
function* pieces(text: string, tokensPerSecond: number): Generator<string> {
  const words = text.match(/\s+\S*|\S+/gu) ?? []
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
  await waitFor(clock, ms, signal)
  return !signal.aborted
}

/** The script's own count, by as many characters a token as are taken for models that nobody has measured. [DEFAULTS] */
function tokensOf(chars: number): number {
  return Math.ceil(chars / CHARS_PER_TOKEN)
}

const CHARS_PER_TOKEN = 2.5

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
