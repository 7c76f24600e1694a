import { itemLimitChars, type RequestSource, requestFacts } from '@holdfast/context'
import { activePath, type Entry, entriesOnPath, pathRanges } from '@holdfast/conversation'
import type { ModelTool } from '@holdfast/provider'

/** A model as `step-started` names it. */
export interface AskedModel {
  readonly providerId: string
  readonly modelId: string
}

/** The definitions of all tools that a log calls: vendors want them where calls are. */
export function toolsOf(log: readonly Entry[]): ModelTool[] {
  const names = new Set<string>()
  for (const entry of log)
    if (entry.type === 'step-finished')
      for (const block of entry.blocks) if (block.type === 'tool-call') names.add(block.name.trim() || 'unnamed')
  return [...names].map((name) => ({ name, description: '', parameters: { type: 'object', properties: {} } }))
}

/** What the request is made from when the log stands as it is here. */
export function sourceOf(
  log: readonly Entry[],
  { model, tools }: { readonly model: AskedModel; readonly tools: readonly ModelTool[] },
): RequestSource {
  return {
    providerId: model.providerId,
    modelId: model.modelId,
    providerModelId: 'model-of-the-corpus',
    tools,
    settings: {
      system: '',
      parameters: {},
      thinkingBudgetTokens: null,
      maxOutputTokens: 8_000,
      toolChoice: 'auto',
      itemLimitChars: itemLimitChars(null),
    },
    facts: requestFacts.reduce(requestFacts.initial, log),
    bindsThinking: true,
    entries: entriesOnPath(log, pathRanges(activePath.reduce(activePath.initial, log))),
    carried: log.filter(({ type }) => type === 'user-message-sent' || type === 'checkpoint-made'),
  }
}
