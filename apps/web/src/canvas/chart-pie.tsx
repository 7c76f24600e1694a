import type { ContentOf } from '@holdfast/conversation'
import { figureText } from './figure-text.ts'

interface PieProps {
  readonly chart: ContentOf<'chart'>
  readonly size: { readonly widthPx: number; readonly heightPx: number }
  readonly patterns: string
  readonly point: number | null
}

/** Slices, with their names and shares beside them in the same order. */
export function PieSlices({ chart, size, patterns, point }: PieProps) {
  const { labels, series, unit = '' } = chart
  const values = series[0]?.values.map((value) => Math.max(0, value ?? 0)) ?? []
  const total = values.reduce((sum, value) => sum + value, 0)
  if (total === 0) return null
  const radius = size.heightPx / 2 - 8
  const center = { x: radius + 8, y: size.heightPx / 2 }
  const rowPx = Math.min(22, (size.heightPx - 8) / labels.length)
  let before = 0
  return labels.map((label, index) => {
    const value = values[index] ?? 0
    const from = before / total
    before += value
    const percent = Math.round((value / total) * 100)
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: labels may repeat; their place is their name
      <g key={index} className="chart-slice" data-picked={point === index || undefined}>
        {value > 0 && (
          <path fill={`url(#${patterns}-${index})`} d={slicePath(center, radius, { from, to: before / total })} />
        )}
        {rowPx >= 10 && (
          <>
            <rect
              fill={`url(#${patterns}-${index})`}
              x={center.x + radius + 20}
              y={12 + index * rowPx}
              width={11}
              height={11}
            />
            <text className="chart-name" x={center.x + radius + 38} y={22 + index * rowPx}>
              {[`${label} ${figureText(value)}${unit}`, `${percent} %`].join(' · ')}
            </text>
          </>
        )}
      </g>
    )
  })
}

/** Shares are counted from the top, clockwise; a whole circle is two halves. */
function slicePath(
  center: { readonly x: number; readonly y: number },
  radius: number,
  { from, to }: { readonly from: number; readonly to: number },
): string {
  if (to - from >= 0.9999) {
    const { x, y } = center
    return `M${x} ${y - radius}A${radius} ${radius} 0 1 1 ${x} ${y + radius}A${radius} ${radius} 0 1 1 ${x} ${y - radius}Z`
  }
  const at = (share: number) => {
    const angle = share * 2 * Math.PI - Math.PI / 2
    return `${center.x + radius * Math.cos(angle)} ${center.y + radius * Math.sin(angle)}`
  }
  return `M${center.x} ${center.y}L${at(from)}A${radius} ${radius} 0 ${to - from > 0.5 ? 1 : 0} 1 ${at(to)}Z`
}
