import { type ModelRequest, type RequestMessage, toolsText } from '@holdfast/provider'

/**
 * The request as text, one part of a message a line and without cache marks: the next turn's text begins with it,
 * as long as no boundary lies between. [REQ5]
 *
 * Parts have lines of their own because what a person adds joins the last message: the message grows, and the
 * prefix that a provider keeps goes on.
 */
export function canonicalText(request: ModelRequest): string {
  return `${[headLine(request), ...request.messages.flatMap(linesOf)].join('\n')}\n`
}

/** The canonical text with the cache marks after it: what a receipt's hash is of. [REQ1] */
export function receiptText(request: ModelRequest): string {
  return `${canonicalText(request)}${marksText(request)}`
}

/** The cache marks as they stand after the canonical text. */
export function marksText({ cacheMarks }: Pick<ModelRequest, 'cacheMarks'>): string {
  return `${JSON.stringify(cacheMarks)}\n`
}

/** All but messages and marks as one object in the order of its keys; the text of the tools is at hand. */
function headLine(request: ModelRequest): string {
  const members: string[] = []
  for (const [key, value] of Object.entries(request)) {
    if (key === 'messages' || key === 'cacheMarks' || value === undefined) continue
    members.push(`${JSON.stringify(key)}:${key === 'tools' ? toolsText(request.tools) : JSON.stringify(value)}`)
  }
  return `{${members.join(',')}}`
}

function linesOf(message: RequestMessage): string[] {
  switch (message.role) {
    case 'user':
      return ['user', ...message.parts.map((part) => JSON.stringify(part))]
    case 'assistant':
      return ['assistant', ...message.blocks.map((block) => JSON.stringify(block))]
    case 'tool':
      return [JSON.stringify(message)]
  }
}
