import type { ModelRequest, RequestMessage } from '@holdfast/provider'

/**
 * The request as text, one part of a message a line and without cache marks: the next turn's text begins with it,
 * as long as no boundary lies between. [REQ5]
 *
 * Parts have lines of their own because what a person adds joins the last message: the message grows, and the
 * prefix that a provider keeps goes on.
 */
export function canonicalText(request: ModelRequest): string {
  const { messages, cacheMarks: _, ...head } = request
  return `${[JSON.stringify(head), ...messages.flatMap(linesOf)].join('\n')}\n`
}

/** The canonical text with the cache marks after it: what a receipt's hash is of. [REQ1] */
export function receiptText(request: ModelRequest): string {
  return `${canonicalText(request)}${JSON.stringify(request.cacheMarks)}\n`
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
