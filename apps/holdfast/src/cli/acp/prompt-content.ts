import { fileURLToPath } from 'node:url'
import { type ContentBlock, RequestError } from '@agentclientprotocol/sdk/unstable'
import type { SentPart } from '@holdfast/protocol'

/** What an editor sends, as a message holds it. @throws {RequestError} for what no capability of ours promises. */
export function contentOf(prompt: readonly ContentBlock[]): SentPart[] {
  const parts = prompt.flatMap((block): SentPart[] => {
    switch (block.type) {
      case 'text':
        return block.text === '' ? [] : [{ type: 'text', text: block.text }]
      case 'resource_link':
        return [{ type: 'text', text: `[${block.name}](${pathOf(block.uri)})` }]
      case 'resource': {
        const { resource } = block
        if (!('text' in resource)) throw refused('files that are no text')
        return [{ type: 'quote', text: resource.text, path: pathOf(resource.uri) }]
      }
      case 'image':
      case 'audio':
        throw refused(`${block.type} content`)
    }
  })
  if (parts.length > 0) return parts
  throw RequestError.invalidParams(undefined, 'a prompt holds words')
}

function pathOf(uri: string): string {
  return uri.startsWith('file://') ? fileURLToPath(uri) : uri
}

function refused(what: string): RequestError {
  return RequestError.invalidParams(undefined, `${what} is not taken here; name the file instead`)
}
