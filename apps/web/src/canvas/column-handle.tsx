import { type KeyboardEvent, type PointerEvent, useRef } from 'react'
import { say } from '../language/say.ts'

/** Bounds and step of a column's width, in pixels. */
const LEAST_PX = 40
const MOST_PX = 1_200
const STEP_PX = 16

interface HandleProps {
  readonly name: string
  /** Null while the table decides. */
  readonly widthPx: number | null
  /** Null gives the width back to the table. */
  readonly onWidth: (widthPx: number | null) => void
}

/** The edge of a column: drawn with the pointer, moved by the arrows, given back by a double click or Home. */
export function ColumnHandle({ name, widthPx, onWidth }: HandleProps) {
  const dragged = useRef<{ readonly fromX: number; readonly fromPx: number } | null>(null)

  function shownPx(handle: HTMLElement): number {
    return widthPx ?? handle.closest('th')?.offsetWidth ?? LEAST_PX
  }

  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    if (event.key === 'Home') onWidth(null)
    else if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') {
      const step = (event.key === 'ArrowRight' ? STEP_PX : -STEP_PX) * direction(event.currentTarget)
      onWidth(bounded(shownPx(event.currentTarget) + step))
    } else return
    event.preventDefault()
  }

  function onPointerDown(event: PointerEvent<HTMLElement>): void {
    event.currentTarget.setPointerCapture(event.pointerId)
    dragged.current = { fromX: event.clientX, fromPx: shownPx(event.currentTarget) }
  }

  function onPointerMove(event: PointerEvent<HTMLElement>): void {
    if (dragged.current === null) return
    const { fromX, fromPx } = dragged.current
    onWidth(bounded(fromPx + (event.clientX - fromX) * direction(event.currentTarget)))
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: a line that is moved is no hr
    <span
      className="column-handle"
      role="separator"
      aria-orientation="vertical"
      aria-label={say('canvas.width-of-name', { name })}
      aria-valuemin={LEAST_PX}
      aria-valuemax={MOST_PX}
      aria-valuenow={widthPx ?? LEAST_PX}
      aria-valuetext={widthPx === null ? say('canvas.as-the-table-has-room') : say('canvas.pixels', { count: widthPx })}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={() => {
        dragged.current = null
      }}
      onPointerCancel={() => {
        dragged.current = null
      }}
      onDoubleClick={() => onWidth(null)}
    />
  )
}

function bounded(widthPx: number): number {
  return Math.round(Math.min(MOST_PX, Math.max(LEAST_PX, widthPx)))
}

/** Columns of a page that is read from the right grow to the left. */
function direction(element: HTMLElement): 1 | -1 {
  return getComputedStyle(element).direction === 'rtl' ? -1 : 1
}
