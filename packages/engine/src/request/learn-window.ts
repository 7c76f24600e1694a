import {
  findingFor,
  hasOtherWindow,
  irreducibleTokens,
  type LearntWindow,
  WINDOW_LEARNT,
  windowBudget,
  windowThatCounts,
} from '@holdfast/context'
import { type NewEntry, toolModeOf } from '@holdfast/conversation'
import type { ProviderError } from '@holdfast/provider'
import type { EnginePorts, ModelChoice } from '../api/ports.ts'
import { ENGINE } from '../log/engine-actor.ts'
import type { RequestState } from '../log/request-state.ts'
import { roomSource } from './room/room-source.ts'
import type { TurnRequest } from './turn-request.ts'
import { billedTo } from './usage.ts'

/** No window is taken for less, in tokens. */
const LEAST_WINDOW_TOKENS = 1_000

/** Of a window that is taken for as small as it may be, so much is left for what makes room and for the answer. */
const FREE_SHARE = 0.4

/**
 * What a refusal for length says of the model's window: the number that the provider names, where it is less than what
 * was known; else, where nobody knows the window, half of what was refused. Null where it says nothing new: then the
 * estimate was wrong, and room is made by it. [WIN8, CHK8]
 */
export function learntWindow(at: TurnRequest, error: ProviderError | null): LearntWindow | null {
  if (error?.code !== 'too-long') return null
  const { model, told, learnt, tokens } = at
  const known = model.facts.contextWindowTokens
  const insteadOfTokens = told.facts.contextWindowTokens
  const { windowTokens: named } = error
  if (named !== null)
    return known === null || named < known ? { windowTokens: named, insteadOfTokens, source: 'named' } : null
  if (known !== null && learnt?.source !== 'halved') return null
  const least = Math.ceil(leastTokens(at) / (1 - FREE_SHARE))
  const halved = Math.max(LEAST_WINDOW_TOKENS, least, Math.floor(tokens.usedTokens / 2))
  return known === null || halved < known ? { windowTokens: halved, insteadOfTokens, source: 'halved' } : null
}

/** What cannot be left out: tools can, but where a person has chosen them, or has turned them off. [WIN17] */
function leastTokens(at: TurnRequest): number {
  const source = roomSource(at)
  const mode = toolModeOf(at.composedFrom.settings)
  const stays = mode === 'manual' || mode === 'all-off'
  return irreducibleTokens(source) - (stays ? 0 : windowBudget(source).toolTokens)
}

/** Says it, for people and for later requests. [RUN13] */
export function learntNotice(
  window: LearntWindow,
  { runId, model }: { readonly runId: string; readonly model: ModelChoice },
): NewEntry {
  const { providerId, modelId } = billedTo(model)
  return {
    type: 'notice-raised',
    actor: ENGINE,
    code: WINDOW_LEARNT,
    severity: 'info',
    text: wordsOf(window, model),
    until: 'another window is set for the model',
    runId,
    model: { providerId, modelId },
    window,
  }
}

function wordsOf({ windowTokens, source }: LearntWindow, { name }: ModelChoice): string {
  switch (source) {
    case 'named':
      return `The window of ${name} holds ${windowTokens} tokens, says its provider.`
    case 'halved':
      return `Nobody knows the window of ${name}, and a request was too long for it: it is taken for ${windowTokens} tokens, half of what was refused. Who knows it can set it.`
    case 'elsewhere':
      return windowTokens === null
        ? `The window of ${name} is not known any more.`
        : `The window of ${name} counts as ${windowTokens} tokens from here on.`
  }
}

/**
 * The notice that a model's window is another than its last request here was made by, because somebody set it or another
 * conversation learnt it: the bytes of earlier messages may change with it. [REQ5, WIN8]
 */
export function windowChanged(
  { findings }: RequestState,
  { runId, model }: { readonly runId: string; readonly model: ModelChoice },
): NewEntry[] {
  const finding = findingFor(findings, billedTo(model))
  const told = model.facts.contextWindowTokens
  const windowTokens = windowThatCounts(finding, told)
  if (!hasOtherWindow(finding, windowTokens)) return []
  return [learntNotice({ windowTokens, insteadOfTokens: told, source: 'elsewhere' }, { runId, model })]
}

/** Tells whoever keeps what is known of models for all conversations. [WIN8] */
export function tellWindow(
  { onWindowLearnt }: Pick<EnginePorts, 'onWindowLearnt'>,
  learnt: LearntWindow,
  model: ModelChoice,
): void {
  if (learnt.windowTokens === null) return
  onWindowLearnt?.({ modelId: model.modelId, windowTokens: learnt.windowTokens, isNamed: learnt.source === 'named' })
}
