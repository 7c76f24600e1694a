import { createHash } from 'node:crypto'
import type { FormatName } from '../format-name.ts'

/**
 * Who asks, as a hash of the key: prompt caches belong to it. Undefined where the request has no key in the place where
 * this vendor looks for it. Signed Bedrock requests are told apart by their access key.
 */
export function ownerOf(
  format: FormatName,
  headers: NodeJS.Dict<string | string[]>,
  query: URLSearchParams,
): string | undefined {
  const key = keyOf(format, headers, query)
  if (key === undefined || key === '' || key === 'Bearer' || key === 'Bearer ') return undefined
  const identity = /Credential=([^/]+)\//.exec(key)?.[1] ?? key
  return createHash('sha256').update(identity).digest('base64url')
}

function keyOf(
  format: FormatName,
  headers: NodeJS.Dict<string | string[]>,
  query: URLSearchParams,
): string | undefined {
  const bearer = single(headers.authorization)
  switch (format) {
    case 'anthropic':
      return single(headers['x-api-key']) ?? bearer
    case 'gemini':
      return single(headers['x-goog-api-key']) ?? query.get('key') ?? bearer
    case 'openai-chat':
    case 'openai-responses':
    case 'bedrock-converse':
    case 'bedrock-claude':
      return bearer
  }
}

function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value
}
