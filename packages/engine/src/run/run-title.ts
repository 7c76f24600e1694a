import { ratioOf, textTokens } from '@holdfast/context'
import { type Entry, type NewEntry, type Overview, settingsNow } from '@holdfast/conversation'
import { costOf } from '@holdfast/provider'
import type { Ending } from '../api/ending.ts'
import type { EnginePorts, ModelChoice } from '../api/ports.ts'
import { modelBeside } from '../chosen/chosen-model.ts'
import { cutBy } from '../live/end-run.ts'
import type { AskedRun } from '../live/hosts.ts'
import type { RunAtWork } from '../live/run-at-work.ts'
import { ENGINE } from '../log/engine-actor.ts'
import { askBeside, type BesideAnswer } from '../request/ask-beside.ts'
import { priceAlone, priceExtended } from '../request/price-beside.ts'
import {
  BEGINNING_ENTRIES,
  excerptOf,
  MOST_TITLE_TOKENS,
  TITLE_INSTRUCTION,
  titleOfBeginning,
  titleOfWhole,
} from '../request/title-request.ts'
import { composeTurn, type TurnRequest } from '../request/turn-request.ts'
import { billedTo } from '../request/usage.ts'
import { startedRun } from './started-run.ts'

/** A title that fails is tried again after later turns, so many times in all. */
const MOST_TRIES = 3

/**
 * Whether a conversation gets a title by itself now: after its first answer, and where none came of that after a later
 * one; not again where a person stopped it. [C7, RUN2, RUN15]
 */
export function isTitleDue({ autoTitles, settings }: EnginePorts, { title, runState, depth }: Overview): boolean {
  if (!autoTitles || !settingsNow(settings).autoTitles) return false
  if (depth > 0 || title.text !== null || runState.side.length > 0) return false
  const { failedCount, isStopped } = runState.titles
  return runState.lastTurn?.outcome === 'completed' && failedCount < MOST_TRIES && !isStopped
}

/**
 * Asks for a title, beside whatever else runs, on the frozen prefix of the conversation or on an excerpt of it,
 * whichever costs less. Neither the context nor the order of the list nor what is unread moves with it. [CACHE3]
 */
export async function runTitle(atWork: RunAtWork, asked: AskedRun | null): Promise<void> {
  const { ports, log, runId, epoch } = atWork
  const command = asked?.command ?? null
  const started = await log.append({ epoch, command, dropDraft: null }, () => [
    { type: 'run-started', actor: ENGINE, ...(command && { commandId: command.commandId }), runId, purpose: 'title' },
  ])
  asked?.begun.resolve(startedRun(started, runId))
  if (started.repeated) return
  const model = modelBeside(ports.models(), log.overview())
  if (model.type === 'missing') return end(atWork, { outcome: 'failed', reason: model.reason }, null)
  const answer = await askForTitle(atWork, model.choice)
  if (answer.type === 'over-budget') return end(atWork, answer.ending, null)
  if (answer.type === 'stopped') return end(atWork, { outcome: cutBy(atWork, log.overview()) }, null)
  const { result } = answer
  if (result.error) return end(atWork, { outcome: 'failed', reason: result.error.message }, null)
  const text = result.blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join(' ')
  const title = cleanTitle(text, settingsNow(ports.settings).titleChars)
  if (title === null) return end(atWork, { outcome: 'failed', reason: 'The model gave no title.' }, null)
  await end(atWork, { outcome: 'completed' }, title)
}

async function askForTitle(atWork: RunAtWork, model: ModelChoice): Promise<Exclude<BesideAnswer, { type: 'changed' }>> {
  const { ports, log } = atWork
  // While a turn runs its calls may be open: then nothing can be built on its prefix.
  const isQuiet = log.overview().runState.exclusive === null
  const at = isQuiet ? await composeTurn(atWork, { ports, model }) : null
  const composedToSeq = log.overview().head
  const beginning = (await beginningOf(atWork)).filter(({ seq }) => seq <= composedToSeq)
  const words = excerptOf(beginning)
  const ratio = ratioOf(log.requestState().ratios, billedTo(model), ports.estimator)
  const excerptTokens = textTokens(`${words}\n${TITLE_INSTRUCTION}`, ratio)
  const onPrefix = at !== null && isPrefixCheaper(at, textTokens(words, ratio))
  const added = { words: TITLE_INSTRUCTION, mostAnswerTokens: MOST_TITLE_TOKENS }
  const asked = onPrefix
    ? {
        model: at.model,
        request: titleOfWhole(at.frozen.request),
        anchors: at.frozen.anchors,
        estimatedInputTokens: at.estimatedInputTokens,
        price: priceExtended(at, added, ports.clock.now()),
        cacheBefore: at.cacheBefore,
        beside: { type: 'title', of: 'whole', composedToSeq: at.composedFrom.head } as const,
      }
    : {
        model,
        request: titleOfBeginning(model.providerModelId, beginning),
        anchors: [],
        estimatedInputTokens: excerptTokens,
        price: priceAlone(model, { promptTokens: excerptTokens, mostAnswerTokens: MOST_TITLE_TOKENS }),
        cacheBefore: null,
        beside: { type: 'title', of: 'beginning', composedToSeq } as const,
      }
  const answer = await askBeside(atWork, 'title', { ...asked, windowStartSeq: 1 })
  return answer.type === 'changed' ? askForTitle(atWork, model) : answer
}

/** One write: the title and the run's end. A title that a person gave in the meantime stays. */
async function end({ log, runId, epoch }: RunAtWork, ending: Ending, title: string | null): Promise<void> {
  await log.append({ epoch, command: null, dropDraft: null }, (state): NewEntry[] => {
    if (!state.runState.side.some((run) => run.runId === runId)) return []
    const isFree = state.title.source !== 'user'
    return [
      ...(title !== null && isFree
        ? [{ type: 'title-changed' as const, actor: ENGINE, title, source: 'auto' as const, runId }]
        : []),
      { type: 'run-finished', actor: ENGINE, runId, ...ending },
    ]
  })
}

/** A title as it is shown: one line, without the marks that models put around it; null when nothing is left. */
export function cleanTitle(text: string, mostChars: number): string | null {
  const line = text
    .split('\n')
    .map((one) => one.trim())
    .find((one) => one !== '')
  const bare = (line ?? '')
    .toWellFormed()
    .replace(/^(?:#+\s*|\*\*|title\s*:\s*)+/i, '')
    .replace(/(?<![*"'`“”„‘’«»])[*"'`“”„‘’«»]+$|^[*"'`“”„‘’«»]+/g, '')
    .replace(/[.。]$/, '')
    .trim()
  if (bare === '') return null
  if (bare.length <= mostChars) return bare
  return `${bare
    .slice(0, mostChars - 1)
    .toWellFormed()
    .trimEnd()}…`
}

/** The beginning of the log, where the first exchange is. */
async function beginningOf({ log }: RunAtWork): Promise<readonly Entry[]> {
  const { conversationId } = log
  return (await log.read({ conversationId, after: 0, limit: BEGINNING_ENTRIES })).entries
}

/** Compares the prefix, read from the cache where there is one, with the excerpt. */
function isPrefixCheaper({ model, tokens }: TurnRequest, excerptTokens: number): boolean {
  const { price, capabilities } = model.facts
  const none = {
    inputTokens: 0,
    cacheReadTokens: 0,
    cacheCreation5mTokens: 0,
    cacheCreation1hTokens: 0,
    outputTokens: 0,
  }
  const cached = capabilities.promptCache === true
  const prefix = cached ? { ...none, cacheReadTokens: tokens.usedTokens } : { ...none, inputTokens: tokens.usedTokens }
  const prefixUsd = costOf(prefix, price)
  const excerptUsd = costOf({ ...none, inputTokens: excerptTokens }, price)
  if (prefixUsd !== null && excerptUsd !== null && prefixUsd !== excerptUsd) return prefixUsd < excerptUsd
  return tokens.usedTokens <= excerptTokens
}
