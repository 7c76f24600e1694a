import type { CanvasElement } from '@holdfast/conversation'
import { type KeyboardEvent, type RefObject, useEffect, useId, useRef, useState } from 'react'
import { Icon } from '../shared/icons.tsx'
import { say } from '../shared/language/say.ts'
import { plainContent, tableOfChart } from './element-body.tsx'
import { toTabs } from './sort-rows.ts'

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
    ...(element.type === 'chart' && svg.current !== null
      ? [{ words: say('canvas.copy-as-image'), act: copyDrawing, needsLine: false }]
      : []),
    { words: say('canvas.view-source'), act: props.onSource, needsLine: false },
    { words: say('common.remove'), act: props.onRemove, needsLine: true },
  ]
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

/** What goes on the clipboard: a table as spreadsheets take it, all else as text. */
function clipboardText(element: CanvasElement): string {
  if (element.type === 'table') return toTabs([element.columns.map(({ name }) => name), ...element.rows])
  if (element.type === 'chart') {
    const { columns, rows } = tableOfChart(element)
    return toTabs([columns.map(({ name }) => name), ...rows])
  }
  return plainContent(element)
    .filter((part) => part !== '')
    .join('\n')
}

/** Twice the size that it is shown in, so that it is sharp on paper. */
const IMAGE_SCALE = 2
/** What the page's styles decide about the look of a drawing; in SVG each is an attribute too, which the policy lets be. */
const LOOKS = [
  ...['fill', 'stroke', 'stroke-width', 'stroke-dasharray', 'opacity'],
  ...['font-family', 'font-size', 'font-weight'],
] as const

/** Puts a drawing on the clipboard as a PNG, as it is shown. @throws {DOMException} where that is not allowed. */
async function copyImage(svg: SVGSVGElement): Promise<void> {
  const blob = drawn(svg)
  await navigator.clipboard.write([new ClipboardItem({ 'image/png': blob })])
}

/** The drawing as a PNG. */
async function drawn(svg: SVGSVGElement): Promise<Blob> {
  const { width, height } = svg.getBoundingClientRect()
  const image = new Image()
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(standalone(svg, { width, height }))}`
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(width * IMAGE_SCALE)
  canvas.height = Math.round(height * IMAGE_SCALE)
  const context = canvas.getContext('2d')
  if (!context) throw new DOMException('This browser gives no canvas to draw on', 'NotSupportedError')
  context.fillStyle = getComputedStyle(svg.closest('article') ?? document.body).backgroundColor
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.drawImage(image, 0, 0, canvas.width, canvas.height)
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
  if (blob === null) throw new DOMException('The drawing could not be made into a picture', 'EncodingError')
  return blob
}

/** A copy that carries its looks with it. */
function standalone(
  svg: SVGSVGElement,
  { width, height }: { readonly width: number; readonly height: number },
): string {
  const copy = svg.cloneNode(true)
  if (!(copy instanceof SVGSVGElement)) return ''
  const originals = svg.querySelectorAll('*')
  copy.querySelectorAll('*').forEach((element, index) => {
    const original = originals[index]
    if (!original) return
    const computed = getComputedStyle(original)
    for (const name of LOOKS) {
      const value = computed.getPropertyValue(name)
      if (value !== '') element.setAttribute(name, value)
    }
    element.removeAttribute('style')
  })
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg')
  copy.setAttribute('width', String(width))
  copy.setAttribute('height', String(height))
  return new XMLSerializer().serializeToString(copy)
}
