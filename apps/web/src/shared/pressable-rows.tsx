import type { CSSProperties } from 'react'
import type { CustomContainerComponentProps } from 'virtua'

/**
 * Holds the rows of a list that is drawn in part. Its own box takes no presses while the view moves, and for a while after
 * that: one that begins or ends in that time would be lost. [UI12]
 */
export function PressableRows({ style, children, ref }: CustomContainerComponentProps) {
  return (
    <div ref={ref} style={withPresses(style)}>
      {children}
    </div>
  )
}

/** Holds the rows of a list that a screen reader is told of as one; presses count while the view moves. */
export function PressableList({ style, children, ref }: CustomContainerComponentProps) {
  return (
    <ul ref={ref} style={withPresses(style)}>
      {children}
    </ul>
  )
}

function withPresses(style: CSSProperties): CSSProperties {
  const { pointerEvents: _, ...others } = style
  return others
}
