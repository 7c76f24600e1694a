import type { ContentOf } from '@holdfast/conversation'
import { type KeyboardEvent, type RefObject, useId, useRef, useState } from 'react'
import { say } from '../language/say.ts'
import { Patterns, SeriesSign } from './chart-marks.tsx'
import { PieSlices } from './chart-pie.tsx'
import { PlotArea } from './chart-plot.tsx'
import { figureText } from './figure-text.ts'
import { useWidth } from './use-width.ts'

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

function readingOf({ labels, unit = '' }: ContentOf<'chart'>, shown: readonly ShownSeries[], point: number): string {
  const values = shown.map(({ name, values: all }) => {
    const value = all[point]
    return [name, value === null || value === undefined ? say('canvas.no-value') : `${figureText(value)}${unit}`].join(
      ' ',
    )
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
