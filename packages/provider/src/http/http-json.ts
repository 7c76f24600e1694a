import { classifyProviderError } from '../errors/classify-provider-error.ts'
import { isNetworkFailure, networkError } from '../errors/network-error.ts'
import { ProviderError } from '../model-port.ts'
import { parseJson } from '../wire/json-reader.ts'
import { readBody, sendRequest } from './http-client.ts'
import type { StreamRequest } from './http-stream.ts'

/**
 * Sends a request whose answer is JSON, and reads it whole.
 *
 * @throws {ProviderError} for every other answer, and for none.
 */
export async function requestJson(request: StreamRequest): Promise<unknown> {
  const answer = await sendRequest({ ...request, headers: { accept: 'application/json', ...request.headers } })
  try {
    const status = answer.statusCode ?? 0
    const bodyText = await readBody(answer, request.limits.bodyBytes)
    if (status < 200 || status > 299) {
      throw classifyProviderError({
        vendor: request.vendor,
        status,
        bodyText,
        headers: answer.headers,
        nowMs: Date.now(),
      })
    }
    const value = parseJson(bodyText)
    if (value === undefined)
      throw new ProviderError('internal', `${request.url} answered with something that is not JSON`, { status })
    return value
  } catch (error) {
    if (error instanceof ProviderError || !isNetworkFailure(error)) throw error
    throw networkError(error, new URL(request.url).host)
  } finally {
    answer.destroy()
  }
}
