import type { OutlineElement, PreviewOrder } from '@holdfast/protocol'
import type { Tell } from './channel.ts'
import { describe, elementAt, found, labelOf, roleOf } from './element.ts'
import { later, listen, prevent, stopHere } from './natives.ts'
import { createMarker, type Marker } from './outline-box.ts'
import { insideOf, isShadow } from './trees.ts'

const MOST_NODES = 1_000
const FLASH_MS = 1_200

/** Lets a person choose an element: with the pointer, the keys, or from the outline. [PREV4] */
export function createPicker({ tell }: Tell) {
  let picking = false
  let at: Element | null = null
  let marker: Marker | null = null
  let outline: Element[] = []
  /** Where `child` came from, so that it goes back the way that `parent` came. */
  let trail: Element[] = []

  const mark = (): Marker => (marker ??= createMarker())

  function point(element: Element | null): void {
    at = element
    mark().show(at, picking)
    if (at) tell({ type: 'pointed', label: labelOf(at), path: pathTo(at) })
  }

  function end(): void {
    picking = false
    at = null
    trail = []
    marker?.hide()
    tell({ type: 'pick-ended' })
  }

  function take(element: Element, goesOn: boolean): void {
    tell({ type: 'picked', element: describe(element), goesOn })
    if (!goesOn) end()
  }

  /** @returns whether the key means something here. */
  function press(key: string, shift: boolean): boolean {
    switch (key) {
      case 'Escape':
        end()
        return true
      case 'Enter':
        if (at) take(at, shift)
        return true
      case 'ArrowUp': {
        const above = at && aboveOf(at)
        if (at && above) {
          trail.push(at)
          point(above)
        }
        return true
      }
      case 'ArrowDown': {
        const below = trail.pop() ?? (at ? childrenOf(at)[0] : document.body)
        if (below) point(below)
        return true
      }
      case 'Tab':
      case 'ArrowRight':
      case 'ArrowLeft': {
        trail = []
        point(besides(elementsBut(marker?.host), at, shift || key === 'ArrowLeft' ? -1 : 1))
        at?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
        if (at) mark().show(at, picking)
        return true
      }
    }
    return false
  }

  function turn(on: boolean): void {
    picking = on
    if (on) {
      window.focus()
      mark().show(null, true)
    } else end()
  }

  const flash = createFlash({ tell, mark, isPicking: () => picking })

  listenWhilePicking({
    isPicking: () => picking,
    onPointer(event, isClick) {
      const element = elementAt(event.clientX, event.clientY, mark().host)
      if (element && element !== at) {
        trail = []
        point(element)
      }
      if (isClick && element) take(element, event.shiftKey)
    },
    onKey: press,
    onScroll: () => at && mark().show(at, true),
  })

  return {
    obey(order: Extract<PreviewOrder, { type: 'pick' | 'key' | 'outline' | 'point' | 'pick-node' | 'flash' }>): void {
      switch (order.type) {
        case 'pick':
          if (order.on !== picking) turn(order.on)
          return
        case 'key':
          if (picking) press(order.key, order.shift)
          return
        case 'outline':
          outline = elementsBut(marker?.host)
          tell({ type: 'outline', nodes: outline.map(nodeOf) })
          return
        case 'point': {
          const element = order.id === null ? null : (outline[order.id] ?? null)
          element?.scrollIntoView({ block: 'nearest' })
          if (element) mark().show(element, false)
          else if (!picking) marker?.hide()
          return
        }
        case 'pick-node': {
          const element = outline[order.id]
          if (element?.isConnected) take(element, false)
          return
        }
        case 'flash':
          flash(order.selector)
      }
    },
  }
}

interface Flashing extends Tell {
  readonly mark: () => Marker
  readonly isPicking: () => boolean
}

/** Makes what shows an element for a moment, and tells whether it is there. */
function createFlash({ tell, mark, isPicking }: Flashing): (selector: string) => void {
  let count = 0
  return (selector) => {
    const element = found(selector)
    tell({ type: 'flashed', selector, found: element !== null })
    if (element === null) return
    element.scrollIntoView({ block: 'nearest' })
    mark().show(element, isPicking())
    count += 1
    const own = count
    later(() => own === count && !isPicking() && mark().hide(), FLASH_MS)
  }
}

/** The next one, or the one before; round about. */
function besides(all: readonly Element[], at: Element | null, step: 1 | -1): Element | null {
  const now = at ? all.indexOf(at) : step > 0 ? -1 : 0
  return all.at((now + step) % all.length) ?? null
}

interface WhilePicking {
  readonly isPicking: () => boolean
  readonly onPointer: (event: MouseEvent, isClick: boolean) => void
  /** @returns whether the key means something here. */
  readonly onKey: (key: string, shift: boolean) => boolean
  readonly onScroll: () => void
}

const POINTER_EVENTS = [
  ...['pointermove', 'pointerdown', 'pointerup', 'mousedown', 'mouseup'],
  ...['click', 'dblclick', 'contextmenu', 'touchstart', 'touchend'],
]

/** They are the first listeners of the window: while an element is picked the page hears nothing of pointer and keys. */
function listenWhilePicking({ isPicking, onPointer, onKey, onScroll }: WhilePicking): void {
  for (const name of POINTER_EVENTS)
    listen(
      window,
      name,
      (event: MouseEvent) => {
        if (!isPicking() || !event.isTrusted) return
        stopHere(event)
        if (event.cancelable) prevent(event)
        if (name === 'pointermove' || name === 'click') onPointer(event, name === 'click')
      },
      true,
    )
  for (const name of ['keydown', 'keyup', 'keypress'])
    listen(
      window,
      name,
      (event: KeyboardEvent) => {
        if (!isPicking() || !event.isTrusted) return
        if (name !== 'keydown' || onKey(event.key, event.shiftKey)) {
          stopHere(event)
          prevent(event)
        }
      },
      true,
    )
  listen(window, 'scroll', () => isPicking() && onScroll(), true)
}

/** What is seen of the page, from its beginning on, without our own marker. */
function elementsBut(own: Element | undefined): Element[] {
  const all: Element[] = []
  const visit = (element: Element) => {
    if (all.length >= MOST_NODES || element === own || isHidden(element)) return
    all.push(element)
    for (const child of childrenOf(element)) visit(child)
  }
  if (document.body) for (const child of childrenOf(document.body)) visit(child)
  return all
}

const LEFT_OUT: ReadonlySet<string> = new Set(['script', 'style', 'link', 'meta', 'template', 'noscript', 'head', 'br'])

function isHidden(element: Element): boolean {
  return LEFT_OUT.has(element.localName) || !element.checkVisibility()
}

function childrenOf(element: Element): Element[] {
  if (element.localName === 'svg') return []
  const inner = insideOf(element)
  if (inner !== null && isShadow(inner)) return [...inner.children, ...element.children]
  const body = inner !== null && 'body' in inner ? inner.body : null
  return body ? [...body.children] : [...element.children]
}

function aboveOf(element: Element): Element | null {
  if (element.parentElement) return element.parentElement === document.documentElement ? null : element.parentElement
  const root = element.getRootNode()
  if (isShadow(root)) return root.host
  return element.ownerDocument.defaultView?.frameElement ?? null
}

function pathTo(element: Element): string[] {
  const path: string[] = []
  for (let at: Element | null = element; at && path.length < 6; at = aboveOf(at)) path.unshift(at.localName)
  return path
}

function nodeOf(element: Element, id: number): OutlineElement {
  let depth = 0
  for (let at = aboveOf(element); at && at !== document.body && depth < 30; at = aboveOf(at)) depth += 1
  const role = roleOf(element)
  return { id, depth, label: role === null ? labelOf(element) : `${role} · ${labelOf(element)}` }
}
