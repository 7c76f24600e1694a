import { type ModelPart, type ModelPort, ProviderError } from './model-port.ts'

/** Shorter texts than this are no secrets: replacing them would only garble words. */
const SHORTEST_SECRET = 6

/** The port with its own keys taken out of every error, whatever a provider repeats of them. [SEC4] */
export function hideSecrets(port: ModelPort, secrets: readonly string[]): ModelPort {
  const hidden = secrets.filter(({ length }) => length >= SHORTEST_SECRET)
  return {
    ...port,
    stream: (request, signal, blobs) => withSafeErrors(port.stream(request, signal, blobs), hidden),
  }
}

/** The same parts. It is no generator, because each of them would wait three times on its way through one. */
function withSafeErrors(parts: AsyncIterable<ModelPart>, hidden: readonly string[]): AsyncIterable<ModelPart> {
  return {
    [Symbol.asyncIterator]() {
      const source = parts[Symbol.asyncIterator]()
      return {
        async next() {
          try {
            return await source.next()
          } catch (error) {
            throw error instanceof ProviderError ? withoutSecrets(error, hidden) : error
          }
        },
        async return() {
          return (await source.return?.()) ?? { done: true, value: undefined }
        },
      }
    },
  }
}

/** The same error without the secrets; its cause is left out, for it may hold them anywhere. */
export function withoutSecrets(error: ProviderError, secrets: readonly string[]): ProviderError {
  const message = secrets.reduce((text, secret) => text.replaceAll(secret, '[key]'), error.message)
  const { code, status, retryAfterMs, detail, windowTokens } = error
  return new ProviderError(code, message, { status, retryAfterMs, detail, windowTokens })
}
