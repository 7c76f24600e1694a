import { expect, it } from 'vitest'
import { ProviderError, withoutSecrets } from '../src/index.ts'

it('[SEC4, COST14] an error without its secrets is the same in all else: what was not sent costs nothing', () => {
  const facts = {
    status: 503,
    retryAfterMs: 7_000,
    detail: 'thinking-parameters',
    windowTokens: 8_192,
    isUnsent: true,
  } as const
  const error = new ProviderError('network', 'No answer to sk-a-secret-key', {
    ...facts,
    cause: new Error('sk-a-secret-key'),
  })
  const hidden = withoutSecrets(error, ['sk-a-secret-key'])
  expect({ ...hidden }).toEqual({ ...error, name: 'ProviderError' })
  expect(hidden).toMatchObject({ ...facts, code: 'network', message: 'No answer to [key]' })
  expect(hidden.cause).toBeUndefined()
})
