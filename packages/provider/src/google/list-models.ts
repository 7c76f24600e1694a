import { requestJson } from '../http/http-json.ts'
import type { ListedModel } from '../listed-model.ts'
import type { HttpLimits } from '../wire/http-limits.ts'
import { asCount, asList, asRecord, asString } from '../wire/json-reader.ts'

/** Whom to ask for models. */
export interface GoogleEndpoint {
  /** With its version: `https://generativelanguage.googleapis.com/v1beta`. */
  readonly baseUrl: string
  readonly apiKey: string
  readonly headers: Readonly<Record<string, string>>
  readonly limits: HttpLimits
}

/**
 * The models that the key may use and that generate text.
 *
 * @throws {ProviderError} when the server refuses or does not answer.
 */
export async function listGoogleModels(
  { baseUrl, apiKey, headers, limits }: GoogleEndpoint,
  signal: AbortSignal,
): Promise<readonly ListedModel[]> {
  const answer = asRecord(
    await requestJson({
      vendor: 'google',
      method: 'GET',
      url: `${baseUrl.replace(/(?<!\/)\/+$/, '')}/models?pageSize=1000`,
      headers: { 'x-goog-api-key': apiKey, ...headers },
      body: null,
      signal,
      limits,
    }),
  )
  return asList(answer?.models).flatMap(listed)
}

function listed(entry: unknown): ListedModel[] {
  const model = asRecord(entry)
  const modelId = asString(model?.name)?.replace(/^models\//, '')
  const generates = asList(model?.supportedGenerationMethods).includes('generateContent')
  if (modelId === undefined || !generates) return []
  return [
    {
      modelId,
      name: asString(model?.displayName) ?? modelId,
      contextWindowTokens: asCount(model?.inputTokenLimit),
      maxOutputTokens: asCount(model?.outputTokenLimit),
      ownedBy: null,
    },
  ]
}
