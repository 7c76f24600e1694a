import type { InputPart } from '@holdfast/conversation'

/**
 * What a person sends that no provider has a form for, as text: marked, escaped and unable to close its own mark.
 * Images and files come here only where the provider's form cannot carry their media type: the model is told of them. [REQ7]
 */
export function inputAsText(part: Exclude<InputPart, { type: 'text' }>): string {
  switch (part.type) {
    case 'quote':
      return `<quote${part.seq === undefined ? '' : ` entry="${part.seq}"`}${part.path === undefined ? '' : ` path="${escaped(part.path)}"`}>\n${escaped(part.text)}\n</quote>`
    case 'element':
      return `<element url="${escaped(part.url)}" selector="${escaped(part.selector)}">\n${escaped(part.html)}\n</element>`
    case 'error':
      return `<page-error url="${escaped(part.url ?? '')}">\n${escaped(part.text)}\n</page-error>`
    case 'link':
      return `<link url="${escaped(part.url)}" title="${escaped(part.title ?? '')}"/>`
    case 'canvas':
      return `<canvas-element id="${escaped(part.elementId)}">\n${escaped(part.text ?? '')}\n</canvas-element>`
    case 'resource':
      return `<resource server="${escaped(part.server)}" uri="${escaped(part.uri)}">\n${escaped(part.text)}\n</resource>`
    case 'mention':
      return `<mention kind="${escaped(part.kind)}" id="${escaped(part.id)}">\n${escaped(part.text ?? '')}\n</mention>`
    case 'image':
    case 'file':
      return `<attachment ${aboutAttachment(part)} shown="no"/>`
  }
}

/** The words of a file as text, for providers that have no form for it: data that cannot close its own mark. [REQ7] */
export function fileAsText(part: Extract<InputPart, { type: 'file' }>, words: string): string {
  return `<attachment ${aboutAttachment(part)} shown="yes">\n${escaped(words)}\n</attachment>`
}

function aboutAttachment({ name, blob }: Extract<InputPart, { type: 'image' | 'file' }>): string {
  return `name="${escaped(name ?? '')}" type="${escaped(blob.mediaType)}" bytes="${blob.sizeBytes}"`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
