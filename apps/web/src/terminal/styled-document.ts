/**
 * The document for what makes styles while it runs. Our content policy takes no style that stands in the page or in an
 * attribute; what a script sets by itself is no such one. [SEC3]
 */
export function styledDocument(real: Document): Document {
  function createElement(name: string): HTMLElement {
    const element = real.createElement(name)
    return element instanceof HTMLStyleElement ? asSheet(element) : withStyles(element)
  }
  return new Proxy(real, {
    get(target, key) {
      if (key === 'createElement') return createElement
      const value: unknown = Reflect.get(target, key, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

/** What is written into the element is a sheet of the page for as long as the element is there. */
function asSheet(element: HTMLStyleElement): HTMLStyleElement {
  const sheet = new CSSStyleSheet()
  const { ownerDocument } = element
  Object.defineProperty(element, 'textContent', {
    get: () => '',
    set(text: string) {
      sheet.replaceSync(text)
      if (!ownerDocument.adoptedStyleSheets.includes(sheet)) ownerDocument.adoptedStyleSheets.push(sheet)
    },
  })
  element.remove = () => {
    ownerDocument.adoptedStyleSheets = ownerDocument.adoptedStyleSheets.filter((one) => one !== sheet)
    HTMLElement.prototype.remove.call(element)
  }
  return element
}

function withStyles(element: HTMLElement): HTMLElement {
  element.setAttribute = setAttribute
  return element
}

function setAttribute(this: HTMLElement, name: string, value: string): void {
  if (name === 'style') this.style.cssText = value
  else Element.prototype.setAttribute.call(this, name, value)
}
