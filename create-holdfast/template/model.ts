import type { EmbeddedModel } from '@holdfast/engine'
import { systemClock as clock, systemIds as ids } from '@holdfast/engine/system'
import { HTTP_LIMITS } from '@holdfast/provider'
import { createAnthropicModel } from '@holdfast/provider/anthropic'
import { createCatalog } from '@holdfast/provider/catalog'
import { createDemoModel } from '@holdfast/provider/demo'
import { createChatModel, PLAIN_CHAT, traitsOfModel } from '@holdfast/provider/openai-chat'

/**
 * Who answers: Claude where there is a key of Anthropic, any server that speaks as OpenAI does where its address is given, such
 * as one of this computer, and else a script that needs neither a key nor a network, and says so. Null where it is not said
 * which model of that server.
 */
export function chosenModel(environment: NodeJS.ProcessEnv): EmbeddedModel | null {
  const { ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL, OPENAI_BASE_URL, OPENAI_API_KEY, MODEL } = environment
  if (ANTHROPIC_API_KEY !== undefined) {
    const modelId = MODEL ?? 'claude-sonnet-4-5'
    const port = createAnthropicModel({
      providerId: 'anthropic',
      baseUrl: ANTHROPIC_BASE_URL ?? 'https://api.anthropic.com',
      apiKey: ANTHROPIC_API_KEY,
      headers: {},
      limits: HTTP_LIMITS,
      ids,
      defaultMaxOutputTokens: () => 8_192,
    })
    const catalog = createCatalog({ overrides: [], atMs: clock.now() })
    return { modelId, port, facts: catalog.factsOf({ providerId: 'anthropic', seller: 'anthropic', modelId }) }
  }
  if (OPENAI_BASE_URL !== undefined) {
    if (MODEL === undefined) return null
    const port = createChatModel({
      providerId: 'openai',
      vendor: 'openai-compatible',
      baseUrl: OPENAI_BASE_URL,
      apiKey: OPENAI_API_KEY ?? null,
      headers: {},
      limits: HTTP_LIMITS,
      ids,
      traitsOf: (model) => traitsOfModel(PLAIN_CHAT, model),
    })
    return { modelId: MODEL, port }
  }
  return { modelId: 'demo', port: createDemoModel({ clock, ids }) }
}
