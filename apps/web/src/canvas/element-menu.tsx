import type { CanvasElement } from '@holdfast/conversation'
import { type KeyboardEvent, type RefObject, useEffect, useId, useRef, useState } from 'react'
import { Icon } from '../icons.tsx'
import { say } from '../language/say.ts'
import { clipboardText, copyImage } from './copy-element.ts'

interface MenuProps {
  readonly element: CanvasElement
  readonly svg: RefObject<SVGSVGElement | null>
  readonly isOnline: boolean
  readonly onPin: () => void
  readonly onFull: () => void
  readonly onAsk: () => void
  readonly onSource: () => void
  readonly onRemove: () => void
  /** Says what happened, to everybody. */
  readonly onSaid: (words: string) => void
}

/** What can be done with one element. */
export function ElementMenu(props: MenuProps) {
  const { element, svg, isOnline, onSaid } = props
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const root = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const name = element.title ?? element.id

  useEffect(() => {
    if (!isOpen) return
    root.current?.querySelector<HTMLElement>('[role=menuitem]')?.focus()
    function onPointerDown(event: PointerEvent): void {
      if (event.target instanceof Node && !root.current?.contains(event.target)) setOpen(false)
    }
    addEventListener('pointerdown', onPointerDown)
    return () => removeEventListener('pointerdown', onPointerDown)
  }, [isOpen])

  function onKeyDown(event: KeyboardEvent): void {
    if (!isOpen) return
    event.stopPropagation()
    const items = [...(root.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])]
    const at = document.activeElement instanceof HTMLElement ? items.indexOf(document.activeElement) : -1
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (event.key === 'Escape' || event.key === 'Tab') {
      setOpen(false)
      if (event.key === 'Escape') button.current?.focus()
      return
    }
    if (step === 0) return
    event.preventDefault()
    items.at((at + step) % items.length)?.focus()
  }

  function choose(act: () => void): void {
    setOpen(false)
    button.current?.focus()
    act()
  }

  function copy(): void {
    navigator.clipboard.writeText(clipboardText(element)).then(
      () => onSaid(say('common.copied')),
      () => onSaid(say('canvas.this-browser-does-not-allow')),
    )
  }

  function copyDrawing(): void {
    if (svg.current === null) return
    copyImage(svg.current).then(
      () => onSaid(say('canvas.copied-as-a-picture')),
      () => onSaid(say('canvas.no-copying-pictures')),
    )
  }

  const items = [
    { words: element.pinned ? say('common.unpin') : say('canvas.pin-to-top'), act: props.onPin, needsLine: true },
    { words: say('canvas.full-screen'), act: props.onFull, needsLine: false },
    { words: say('canvas.ask-about-this'), act: props.onAsk, needsLine: false },
    {
      words: element.type === 'table' || element.type === 'chart' ? say('canvas.copy-as-table') : say('common.copy'),
      act: copy,
      needsLine: false,
    },
    ...(element.type === 'chart' ? [{ words: say('canvas.copy-as-image'), act: copyDrawing, needsLine: false }] : []),
    { words: say('canvas.view-source'), act: props.onSource, needsLine: false },
    { words: say('common.remove'), act: props.onRemove, needsLine: true },
  ].filter(({ words }) => words !== 'Copy as image' || svg.current !== null)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys of the menu inside
    <div className="element-menu" ref={root} onKeyDown={onKeyDown}>
      <button
        ref={button}
        type="button"
        className="icon-button"
        aria-label={say('canvas.more-about-name', { name })}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name="more" />
      </button>
      <div id={id} className="menu" role="menu" aria-label={say('canvas.more-about-name', { name })} hidden={!isOpen}>
        {items.map(({ words, act, needsLine }) => {
          const isOff = needsLine && !isOnline
          return (
            <button
              key={words}
              type="button"
              role="menuitem"
              tabIndex={-1}
              aria-disabled={isOff}
              onClick={() => !isOff && choose(act)}
            >
              {words}
            </button>
          )
        })}
      </div>
    </div>
  )
}
