/**
 * The document for what makes styles while it runs. Our content policy takes none that stands in the page; what a script
 * sets by itself is no such one. [SEC3]
 */
export function styledDocument(real: Document): Document {
  function createElement(name: string): HTMLElement {
    return name === 'style' ? asSheet(real.createElement('span')) : real.createElement(name)
  }
  return new Proxy(real, {
    get(target, key) {
      if (key === 'createElement') return createElement
      const value: unknown = Reflect.get(target, key, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

/** Stands for a style: what is written into it is a sheet of the page for as long as it is there. */
function asSheet(element: HTMLElement): HTMLElement {
  const sheet = new CSSStyleSheet()
  const { ownerDocument } = element
  element.hidden = true
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
