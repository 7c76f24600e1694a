import { type ModelPort, ProviderError } from './model-port.ts'

/** Shorter texts than this are no secrets: replacing them would only garble words. */
const SHORTEST_SECRET = 6

/** The port with its own keys taken out of every error, whatever a provider repeats of them. [SEC4] */
export function hideSecrets(port: ModelPort, secrets: readonly string[]): ModelPort {
  const hidden = secrets.filter(({ length }) => length >= SHORTEST_SECRET)
  return {
    ...port,
    async stream(request, ports) {
      try {
        await port.stream(request, ports)
      } catch (error) {
        throw error instanceof ProviderError ? withoutSecrets(error, hidden) : error
      }
    },
  }
}

/** The same error without the secrets; its cause is left out, for it may hold them anywhere. */
export function withoutSecrets(error: ProviderError, secrets: readonly string[]): ProviderError {
  const message = secrets.reduce((text, secret) => text.replaceAll(secret, '[key]'), error.message)
  const { code, status, retryAfterMs, detail, windowTokens, isUnsent } = error
  return new ProviderError(code, message, { status, retryAfterMs, detail, windowTokens, isUnsent })
}
