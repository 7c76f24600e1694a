import { Json, PICTURE_TYPES } from '@holdfast/conversation'
import type { ReturnedImage, ToolReturn } from '@holdfast/tool'
import type { CallToolResult } from '@modelcontextprotocol/client'
import { SERVER_LIMITS } from './server-settings.ts'

/** A server's result as ours. What is too large is said instead of shown; the caller bounds the text. [TOOL5] */
export function toToolReturn({ content, structuredContent, isError }: CallToolResult): ToolReturn {
  const images: ReturnedImage[] = []
  const texts: string[] = []
  for (const block of content ?? []) {
    switch (block.type) {
      case 'text':
        texts.push(block.text)
        break
      case 'image': {
        const image = toImage(block)
        if (image !== null && images.length < SERVER_LIMITS.pictures) images.push(image)
        else texts.push(`[a picture of type ${block.mimeType} that is too large or one too many]`)
        break
      }
      case 'audio':
        texts.push(`[sound of type ${block.mimeType}, ${block.data.length} characters of base64, not shown]`)
        break
      case 'resource_link':
        texts.push(`[resource ${block.name}: ${block.uri}]`)
        break
      case 'resource':
        texts.push('text' in block.resource ? block.resource.text : `[resource ${block.resource.uri}, not text]`)
        break
    }
  }
  // Servers send structured results as text as well, for whoever does not read them; one that does not says it only here.
  if (structuredContent !== undefined && texts.length === 0) texts.push(JSON.stringify(Json.parse(structuredContent)))
  return { type: 'tool-return', text: texts.join('\n\n'), isError: isError === true, images }
}

function toImage({ data, mimeType }: { readonly data: string; readonly mimeType: string }): ReturnedImage | null {
  if (data.length > SERVER_LIMITS.pictureChars || !PICTURE_TYPES.has(mimeType)) return null
  return { bytes: Buffer.from(data, 'base64'), mediaType: mimeType }
}
