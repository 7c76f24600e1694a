import type { ContentOf } from '@holdfast/conversation'
import { type KeyboardEvent, type RefObject, useId, useLayoutEffect, useRef, useState } from 'react'
import { say } from '../shared/language/say.ts'
import { Patterns, SeriesSign } from './chart-marks.tsx'
import { PlotArea } from './chart-plot.tsx'
import { figureText } from './figure-text.ts'

/** The height of the drawing, in pixels. */
const HEIGHT_PX = 196

/**
 * A chart that does not need colour: series differ by shape, dash and pattern too, the arrows read it point by point,
 * and what it shows is also a table.
 */
export function ChartView({
  chart,
  svg,
}: {
  readonly chart: ContentOf<'chart'>
  readonly svg: RefObject<SVGSVGElement | null>
}) {
  const frame = useRef<HTMLDivElement>(null)
  const widthPx = useWidth(frame, 480)
  const [hidden, setHidden] = useState<ReadonlySet<number>>(new Set())
  const [point, setPoint] = useState<number | null>(null)
  const patterns = useId()
  const shown = chart.series.flatMap((series, index) => (hidden.has(index) ? [] : [{ ...series, index }]))

  function onKeyDown(event: KeyboardEvent): void {
    const last = chart.labels.length - 1
    const next = nextPoint(event.key, point, last)
    if (next === undefined) return
    event.preventDefault()
    event.stopPropagation()
    setPoint(next)
  }

  return (
    <div className="chart" ref={frame}>
      {/* biome-ignore lint/a11y/useSemanticElements: the drawing is one thing that the arrows go through */}
      <div
        className="chart-drawing"
        role="group"
        aria-label={say('canvas.arrow-keys-read', { chart: kindWords(chart.kind) })}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it is read by the keyboard
        tabIndex={0}
        onKeyDown={onKeyDown}
        onBlur={() => setPoint(null)}
      >
        <svg ref={svg} role="img" aria-label={summaryOf(chart)} width={widthPx} height={HEIGHT_PX}>
          <Patterns prefix={patterns} count={chart.kind === 'pie' ? chart.labels.length : chart.series.length} />
          {chart.kind === 'pie' ? (
            <PieSlices chart={chart} size={{ widthPx, heightPx: HEIGHT_PX }} patterns={patterns} point={point} />
          ) : (
            <PlotArea
              chart={chart}
              shown={shown}
              size={{ widthPx, heightPx: HEIGHT_PX }}
              patterns={patterns}
              point={point}
              onPoint={setPoint}
            />
          )}
        </svg>
      </div>
      <div className="chart-foot">
        {chart.kind !== 'pie' && chart.series.length > 1 && (
          <div className="chart-legend">
            {chart.series.map(({ name }, index) => (
              <button
                // biome-ignore lint/suspicious/noArrayIndexKey: names may repeat; a series is its place
                key={index}
                type="button"
                aria-pressed={!hidden.has(index)}
                onClick={() => setHidden((known) => toggled(known, index))}
              >
                <SeriesSign series={index} isLine={chart.kind !== 'bar'} patterns={patterns} />
                {name}
              </button>
            ))}
          </div>
        )}
        <p className="chart-reading" aria-live="polite">
          {point === null ? '' : readingOf(chart, shown, point)}
        </p>
      </div>
    </div>
  )
}

/** What the chart says, in one sentence. */
function summaryOf({ kind, title, labels, series }: ContentOf<'chart'>): string {
  const parts = series.map(({ name, values }) => {
    const known = values.filter((value) => value !== null)
    if (known.length === 0) return say('canvas.series-without-values', { name })
    return say('canvas.series', {
      name,
      first: figureText(known[0] ?? 0),
      last: figureText(known.at(-1) ?? 0),
      most: figureText(Math.max(...known)),
    })
  })
  return say('canvas.chart-summary', {
    chart: kindWords(kind),
    title,
    count: labels.length,
    first: labels[0] ?? '',
    last: labels.at(-1) ?? '',
    series: parts.join('. '),
  })
}

function kindWords(kind: ContentOf<'chart'>['kind']): string {
  switch (kind) {
    case 'bar':
      return say('canvas.bar-chart')
    case 'line':
      return say('canvas.line-chart')
    case 'area':
      return say('canvas.area-chart')
    case 'pie':
      return say('canvas.pie-chart')
  }
}

interface ShownSeries {
  readonly name: string
  readonly values: readonly (number | null)[]
}

function readingOf({ labels, unit }: ContentOf<'chart'>, shown: readonly ShownSeries[], point: number): string {
  const values = shown.map(({ name, values: all }) => {
    const value = all[point]
    return [
      name,
      value === null || value === undefined ? say('canvas.no-value') : `${figureText(value)}${unit ?? ''}`,
    ].join(' ')
  })
  return `${labels[point] ?? ''}: ${values.join(', ')}`
}

function nextPoint(key: string, point: number | null, last: number): number | null | undefined {
  switch (key) {
    case 'ArrowRight':
      return point === null ? 0 : Math.min(last, point + 1)
    case 'ArrowLeft':
      return point === null ? last : Math.max(0, point - 1)
    case 'Home':
      return 0
    case 'End':
      return last
    case 'Escape':
      return point === null ? undefined : null
    default:
      return undefined
  }
}

function toggled(known: ReadonlySet<number>, index: number): ReadonlySet<number> {
  const next = new Set(known)
  if (!next.delete(index)) next.add(index)
  return next
}

/** The width of an element in pixels, as it changes; `usual` until it is known. */
function useWidth(element: RefObject<HTMLElement | null>, usual: number): number {
  const [width, setWidth] = useState(usual)
  useLayoutEffect(() => {
    const shown = element.current
    if (!shown) return
    setWidth(shown.clientWidth || usual)
    const observer = new ResizeObserver(() => setWidth(shown.clientWidth || usual))
    observer.observe(shown)
    return () => observer.disconnect()
  }, [element, usual])
  return width
}

interface PieProps {
  readonly chart: ContentOf<'chart'>
  readonly size: { readonly widthPx: number; readonly heightPx: number }
  readonly patterns: string
  readonly point: number | null
}

/** Slices, with their names and shares beside them in the same order. */
function PieSlices({ chart, size, patterns, point }: PieProps) {
  const { labels, series, unit } = chart
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
              {[`${label} ${figureText(value)}${unit ?? ''}`, `${percent} %`].join(' · ')}
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
