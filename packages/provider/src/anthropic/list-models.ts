import { requestJson } from '../http/http-json.ts'
import type { ListedModel } from '../listed-model.ts'
import { endpointUrl } from '../wire/base-url.ts'
import { asCount, asList, asRecord, asString } from '../wire/json-reader.ts'
import { type AnthropicEndpoint, anthropicHeaders } from './anthropic-model.ts'

/** More pages than this are a server's defect. */
const MOST_PAGES = 20

/**
 * The models that the key may use.
 *
 * @throws {ProviderError} when the server refuses or does not answer.
 */
export async function listAnthropicModels(
  endpoint: AnthropicEndpoint,
  signal: AbortSignal,
): Promise<readonly ListedModel[]> {
  const models: ListedModel[] = []
  let after: string | null = null
  for (let page = 0; page < MOST_PAGES; page++) {
    const url = new URL(endpointUrl(endpoint.baseUrl, '/models'))
    url.searchParams.set('limit', '1000')
    if (after !== null) url.searchParams.set('after_id', after)
    const answer = asRecord(
      await requestJson({
        vendor: 'anthropic',
        method: 'GET',
        url: url.href,
        headers: anthropicHeaders(endpoint),
        body: null,
        signal,
        limits: endpoint.limits,
      }),
    )
    for (const entry of asList(answer?.data)) models.push(...listed(entry))
    after = asString(answer?.last_id)
    if (answer?.has_more !== true || after === null) break
  }
  return models
}

function listed(entry: unknown): ListedModel[] {
  const model = asRecord(entry)
  const modelId = asString(model?.id)
  if (modelId === null) return []
  return [
    {
      modelId,
      name: asString(model?.display_name) ?? modelId,
      contextWindowTokens: asCount(model?.max_input_tokens),
      maxOutputTokens: asCount(model?.max_tokens),
      ownedBy: null,
    },
  ]
}
