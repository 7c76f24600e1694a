/** What an element holds that is a tree of its own: its open shadow, or the document of a frame of the same origin. */
export function insideOf(element: Element): Document | ShadowRoot | null {
  if (element.shadowRoot) return element.shadowRoot
  if (element.localName !== 'iframe' && element.localName !== 'frame') return null
  try {
    return (element as HTMLIFrameElement).contentDocument
  } catch {
    return null
  }
}

/** The documents of frames are made by other windows: what they are an instance of says nothing here. */
export function isDocument(node: Node): node is Document {
  return node.nodeType === Node.DOCUMENT_NODE
}

export function isShadow(node: Node): node is ShadowRoot {
  return node.nodeType === Node.DOCUMENT_FRAGMENT_NODE && 'host' in node
}
