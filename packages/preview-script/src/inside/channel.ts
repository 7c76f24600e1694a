import type { PreviewOrder, PreviewTold } from '@holdfast/protocol'
import type { Given } from './given.ts'
import { Channel, dataOf, listen, postToPort, postToWindow, startPort } from './natives.ts'

/** The way to the page that shows the preview. */
export interface Tell {
  tell(told: PreviewTold): void
}

/**
 * Opens it. The port stays in here: what the page of the preview posts comes by another way and is not listened to. [PREV20]
 *
 * @returns null where nobody shows the document, or it stands in a frame of another.
 */
export function openChannel(given: Given, onOrder: (order: PreviewOrder) => void): Tell | null {
  if (window.parent === window) return null
  const origin = originOfParent(given.parentOrigins)
  if (origin === null) return null
  const { port1, port2 } = new Channel()
  listen(
    port1,
    'message',
    (event: MessageEvent) => {
      onOrder(dataOf(event) as PreviewOrder)
    },
    false,
  )
  startPort(port1)
  postToWindow(window.parent, { type: 'holdfast-preview-hello', secret: given.secret }, origin, [port2])
  return { tell: (told) => postToPort(port1, told) }
}

/** Where it is shown, if that is one of the places where it may be. */
function originOfParent(allowed: readonly string[]): string | null {
  const ancestors = location.ancestorOrigins
  const above = ancestors === undefined ? null : ancestors[0]
  if (above === null || above === undefined) return allowed.length === 1 ? (allowed[0] ?? null) : null
  return allowed.includes(above) ? above : null
}
