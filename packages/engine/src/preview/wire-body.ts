import type { ModelPort, ModelRequest } from '@holdfast/provider'

/**
 * The body of a request as the provider would get it; of files, which may be large and not sent yet, it holds the hashes in
 * the place of their content. Null where the port sends no body. [C8]
 *
 * @throws {ProviderError} where the request cannot be written in the provider's form.
 */
export async function wireBodyOf(port: ModelPort, request: ModelRequest): Promise<string | null> {
  if (port.wireBody === undefined) return null
  const hashes = new Set<string>()
  const body = await port.wireBody(request, {
    read(hash) {
      hashes.add(hash)
      return Promise.resolve(new TextEncoder().encode(standInOf(hash)))
    },
  })
  return [...hashes].reduce((text, hash) => text.replaceAll(btoa(standInOf(hash)), standInOf(hash)), body)
}

function standInOf(hash: string): string {
  return `[sha256 ${hash}]`
}
