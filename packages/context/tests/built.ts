import { composeRequest, type RequestSource, requestFacts, untilOpenCalls } from '@holdfast/context'
import { type Entry, type EntryOf, settingLayers, settingsInForce } from '@holdfast/conversation'
import type { ModelRequest } from '@holdfast/provider'
import { onPath } from './on-path.ts'

/** What a request is made from when the log stands as it is here. */
export function sourceOf(
  log: readonly Entry[],
  model: { readonly providerId: string; readonly modelId: string },
): RequestSource {
  const set = settingsInForce(settingLayers.reduce(settingLayers.initial, log))
  return {
    providerId: model.providerId,
    modelId: model.modelId,
    providerModelId: model.modelId,
    tools:
      log.findLast((entry): entry is EntryOf<'tools-changed'> => entry.type === 'tools-changed')?.definitions ?? [],
    settings: {
      system: set.instructions ?? '',
      parameters: set.parameters ?? {},
      thinkingBudgetTokens: null,
      maxOutputTokens: 8_000,
      toolChoice: set.toolMode === 'all-off' ? 'none' : 'auto',
      itemLimitChars: 50_000,
    },
    facts: requestFacts.reduce(requestFacts.initial, log),
    bindsThinking: true,
    entries: onPath(log),
    carried: log.filter(({ type }) => type === 'user-message-sent' || type === 'checkpoint-made'),
  }
}

/** The request when the log stands as it is here. */
export function requestOf(log: readonly Entry[], model = OPUS): ModelRequest {
  return composeRequest(sourceOf(log, model)).request
}

/** The request of a log without the calls that are open at the end. */
export function quietRequestOf(log: readonly Entry[]): ModelRequest {
  const source = sourceOf(log, OPUS)
  return composeRequest({ ...source, entries: untilOpenCalls(source.entries) }).request
}

export const OPUS = { providerId: 'anthropic', modelId: 'claude-opus-4' }
