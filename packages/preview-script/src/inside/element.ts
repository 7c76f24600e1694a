import type { PickedElement } from '@holdfast/protocol'
import { hintOf } from './hint.ts'
import { insideOf, isDocument, isShadow } from './trees.ts'

const HTML_CHARS = 2_000
const TEXT_CHARS = 100
/** So many levels a path has, unless more are needed to mean one element only. */
const LEVELS = 5
const MOST_LEVELS = 14
/** Stands between a path and what is in the shadow or the frame that it leads to. */
const INTO = ' >>> '

/** What a pick says of an element. */
export function describe(element: Element): PickedElement {
  const text = words(element.textContent ?? '')
  const role = roleOf(element)
  const hint = hintOf(element)
  return {
    selector: selectorOf(element).slice(0, 1_000),
    html: element.outerHTML.slice(0, HTML_CHARS),
    url: location.href.slice(0, 4_000),
    label: labelOf(element),
    ...(text === '' ? {} : { text }),
    ...(role === null ? {} : { role }),
    ...(hint === null ? {} : { hint }),
  }
}

/** A short name for people: `button.primary "Save"`. */
export function labelOf(element: Element): string {
  const id = element.id === '' ? '' : `#${element.id}`
  const classes = [...element.classList].slice(0, 3).map((name) => `.${name}`)
  const name = words(element.getAttribute('aria-label') ?? element.textContent ?? '').slice(0, 40)
  return `${element.localName}${id}${id === '' ? classes.join('') : ''}${name === '' ? '' : ` "${name}"`}`.slice(0, 120)
}

function words(text: string): string {
  return text.replace(/\s+/gu, ' ').trim().slice(0, TEXT_CHARS)
}

const ROLES: Readonly<Record<string, string>> = {
  a: 'link',
  button: 'button',
  input: 'textbox',
  textarea: 'textbox',
  select: 'combobox',
  img: 'img',
  svg: 'img',
  nav: 'navigation',
  main: 'main',
  header: 'banner',
  footer: 'contentinfo',
  form: 'form',
  ul: 'list',
  ol: 'list',
  li: 'listitem',
  table: 'table',
  dialog: 'dialog',
  h1: 'heading',
  h2: 'heading',
  h3: 'heading',
  h4: 'heading',
}

/** What it is to who cannot see it, as far as that is plain. */
export function roleOf(element: Element): string | null {
  return element.getAttribute('role')?.slice(0, 60) ?? ROLES[element.localName] ?? null
}

/** A path of CSS that means this element, through shadows and frames. */
function selectorOf(element: Element): string {
  const root = element.getRootNode()
  const own = pathIn(element, isDocument(root) || isShadow(root) ? root : document)
  if (isShadow(root)) return selectorOf(root.host) + INTO + own
  const frame = isDocument(root) && root !== document ? root.defaultView?.frameElement : null
  return frame ? selectorOf(frame) + INTO + own : own
}

function pathIn(element: Element, root: Document | ShadowRoot): string {
  const parts: string[] = []
  for (let at: Element | null = element; at && parts.length < MOST_LEVELS; at = at.parentElement) {
    parts.unshift(stepOf(at))
    const path = parts.join(' > ')
    if (at.id !== '' && isOnly(root, path)) return path
    if (parts.length >= LEVELS && isOnly(root, path)) return path
  }
  return parts.join(' > ')
}

function isOnly(root: Document | ShadowRoot, path: string): boolean {
  try {
    return root.querySelectorAll(path).length === 1
  } catch {
    return false
  }
}

function stepOf(element: Element): string {
  if (element.id !== '') return `#${CSS.escape(element.id)}`
  const alike = [...(element.parentElement?.children ?? [])].filter((one) => one.localName === element.localName)
  const place = alike.length > 1 ? `:nth-of-type(${alike.indexOf(element) + 1})` : ''
  return `${CSS.escape(element.localName)}${place}`
}

/** The element that such a path means now. */
export function found(selector: string): Element | null {
  let root: Document | ShadowRoot = document
  let element: Element | null = null
  try {
    for (const path of selector.split(INTO)) {
      if (element) {
        const inner: Document | ShadowRoot | null = insideOf(element)
        if (inner === null) return null
        root = inner
      }
      element = root.querySelector(path)
      if (element === null) return null
    }
  } catch {
    return null
  }
  return element
}

/** Where it is in the window of the script, frames included. */
export function boxOf(element: Element): { left: number; top: number; width: number; height: number } {
  const { left, top, width, height } = element.getBoundingClientRect()
  const frame = element.ownerDocument === document ? null : element.ownerDocument.defaultView?.frameElement
  if (!frame) return { left, top, width, height }
  const around = boxOf(frame)
  return { left: left + around.left + frame.clientLeft, top: top + around.top + frame.clientTop, width, height }
}

/** The element that a person sees at a place of the window. */
export function elementAt(x: number, y: number, own: Element): Element | null {
  return pierced(document, { x, y }, own)
}

function pierced(root: Document | ShadowRoot, { x, y }: { x: number; y: number }, own: Element): Element | null {
  const all = root.elementsFromPoint(x, y).filter((one) => one !== own)
  const seen = all.find((one, index) => !isVeil(one) || index === all.length - 1) ?? null
  // The page itself lies below a veil, and is no better.
  const element = seen && isGround(seen) ? (all[0] ?? seen) : seen
  if (element === null) return null
  const shape = 'ownerSVGElement' in element ? drawingOf(element) : element
  const inner = insideOf(shape)
  if (inner === null || inner === root) return shape
  const frame = isDocument(inner) ? shape.getBoundingClientRect() : { left: 0, top: 0 }
  const edge = isDocument(inner) ? { left: shape.clientLeft, top: shape.clientTop } : { left: 0, top: 0 }
  return pierced(inner, { x: x - frame.left - edge.left, y: y - frame.top - edge.top }, own) ?? shape
}

function isGround(element: Element): boolean {
  return element === element.ownerDocument.documentElement || element === element.ownerDocument.body
}

/** What lies over all of the window and shows nothing of its own: one means what is below. */
function isVeil(element: Element): boolean {
  const view = element.ownerDocument.defaultView
  if (view === null || isGround(element)) return false
  const style = view.getComputedStyle(element)
  if (style.position !== 'fixed' && style.position !== 'absolute') return false
  const { width, height } = element.getBoundingClientRect()
  return width * height >= 0.98 * view.innerWidth * view.innerHeight
}

/** The whole drawing that a shape belongs to. */
function drawingOf(element: Element): Element {
  return element.closest('svg:not(svg svg)') ?? element
}
