import { boxOf, labelOf } from './element.ts'

/** The box that is drawn around an element, above everything of the page. */
export interface Marker {
  readonly host: HTMLElement
  /** Shows it; while `catches`, the pointer reaches the marker and nothing of the page. */
  show(element: Element | null, catches: boolean): void
  hide(): void
}

export function createMarker(): Marker {
  const host = document.createElement('div')
  const root = host.attachShadow({ mode: 'closed' })
  const box = document.createElement('div')
  const label = document.createElement('div')
  root.append(box, label)
  for (const [name, value] of Object.entries({
    all: 'initial',
    position: 'fixed',
    inset: '0',
    width: '100vw',
    height: '100vh',
    margin: '0',
    padding: '0',
    border: '0',
    background: 'transparent',
    'z-index': '2147483647',
    overflow: 'hidden',
  }))
    host.style.setProperty(name, value, 'important')
  Object.assign(box.style, {
    position: 'absolute',
    border: '2px solid #0b7285',
    background: 'rgb(11 114 133 / 14%)',
    borderRadius: '3px',
    pointerEvents: 'none',
    boxSizing: 'border-box',
  })
  Object.assign(label.style, {
    position: 'absolute',
    font: '12px/1.5 ui-monospace, monospace',
    color: '#fff',
    background: '#0b3d47',
    padding: '1px 6px',
    borderRadius: '3px',
    maxWidth: '90vw',
    whiteSpace: 'nowrap',
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    pointerEvents: 'none',
  })
  return {
    host,
    show(element, catches) {
      if (!host.isConnected) {
        host.setAttribute('popover', 'manual')
        document.documentElement.append(host)
        host.showPopover()
      }
      host.style.setProperty('pointer-events', catches ? 'auto' : 'none', 'important')
      host.style.setProperty('cursor', catches ? 'crosshair' : 'auto', 'important')
      const shown = element === null ? 'none' : 'block'
      box.style.display = shown
      label.style.display = shown
      if (element === null) return
      const { left, top, width, height } = boxOf(element)
      Object.assign(box.style, {
        left: `${left - 2}px`,
        top: `${top - 2}px`,
        width: `${width + 4}px`,
        height: `${height + 4}px`,
      })
      label.textContent = labelOf(element)
      const above = top > 26
      Object.assign(label.style, {
        left: `${Math.max(0, left - 2)}px`,
        top: above ? `${top - 24}px` : `${Math.min(innerHeight - 22, top + height + 4)}px`,
      })
    },
    hide: () => host.remove(),
  }
}
