import type { ContentOf } from '@holdfast/conversation'
import { dashOf, Mark } from './chart-marks.tsx'
import { labelStep, placeOn, type Scale, scaleFor } from './chart-scale.ts'
import { figureText } from './figure-text.ts'

/** Room around the plot for what is written there, in pixels. */
const LEFT = 44
const RIGHT = 12
const TOP = 14
const BOTTOM = 24
/** Points of longer lines have no shape of their own. */
const MOST_MARKS = 60

interface PlotProps {
  readonly chart: ContentOf<'chart'>
  readonly shown: readonly ShownSeries[]
  readonly size: { readonly widthPx: number; readonly heightPx: number }
  readonly patterns: string
  readonly point: number | null
  readonly onPoint: (point: number | null) => void
}

interface ShownSeries {
  readonly index: number
  readonly name: string
  readonly values: readonly (number | null)[]
}

interface Frame {
  readonly scale: Scale
  x(index: number): number
  y(value: number): number
  /** The width of a label's place. */
  readonly stepPx: number
}

/** Bars, lines or areas over an axis of labels. */
export function PlotArea({ chart, shown, size, patterns, point, onPoint }: PlotProps) {
  const frame = frameOf(chart, shown, size)
  const bottom = size.heightPx - BOTTOM
  const every = labelStep(chart.labels.length, {
    widthPx: size.widthPx - LEFT - RIGHT,
    labelPx: labelWidthPx(chart.labels),
  })
  return (
    <>
      {frame.scale.ticks.map((tick) => (
        <g key={tick}>
          <line className="chart-grid" x1={LEFT} x2={size.widthPx - RIGHT} y1={frame.y(tick)} y2={frame.y(tick)} />
          <text className="chart-label" x={LEFT - 10} y={frame.y(tick) + 4} textAnchor="end">
            {figureText(tick)}
          </text>
        </g>
      ))}
      {chart.labels.map((label, index) =>
        index % every === 0 ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: labels may repeat; their place is their name
          <text key={index} className="chart-label" x={frame.x(index)} y={bottom + 18} textAnchor="middle">
            {label.length > 9 && every > 1 ? `${label.slice(0, 8)}…` : label.slice(0, 14)}
          </text>
        ) : null,
      )}
      {point !== null && <line className="chart-cursor" x1={frame.x(point)} x2={frame.x(point)} y1={TOP} y2={bottom} />}
      {shown.map((series, place) =>
        chart.kind === 'bar' ? (
          <Bars
            key={series.index}
            series={series}
            frame={frame}
            place={place}
            count={shown.length}
            patterns={patterns}
          />
        ) : (
          <Line key={series.index} series={series} frame={frame} isArea={chart.kind === 'area'} patterns={patterns} />
        ),
      )}
      {chart.kind !== 'bar' &&
        namePlaces(shown, frame).map(({ index, name, x, y }) => (
          <text key={index} className="chart-name" x={x} y={y}>
            {name}
          </text>
        ))}
      {chart.labels.map((label, index) => (
        <rect
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          key={index}
          className="chart-target"
          x={frame.x(index) - frame.stepPx / 2}
          y={0}
          width={frame.stepPx}
          height={bottom}
          onPointerEnter={() => onPoint(index)}
          onPointerLeave={() => onPoint(null)}
        >
          <title>{label}</title>
        </rect>
      ))}
    </>
  )
}

const LETTER_PX = 7.2

/** Room for a label and half of each beside it, so that a long one among short ones does not touch. */
function labelWidthPx(labels: readonly string[]): number {
  const lengths = labels.map((label) => Math.min(14, label.length))
  const pairs = lengths.map((length, index) => (length + (lengths[index + 1] ?? 0)) / 2)
  return 12 + LETTER_PX * Math.max(...pairs)
}

function frameOf({ kind, labels }: ContentOf<'chart'>, shown: readonly ShownSeries[], size: PlotProps['size']): Frame {
  const scale = scaleFor(
    shown.flatMap(({ values }) => values.filter((value) => value !== null)),
    4,
  )
  const width = size.widthPx - LEFT - RIGHT
  const isBar = kind === 'bar'
  const stepPx = isBar ? width / labels.length : width / Math.max(1, labels.length - 1)
  const inset = isBar ? stepPx / 2 : labels.length === 1 ? width / 2 : Math.min(8, width / 20)
  const usable = width - 2 * inset
  const gapPx = labels.length === 1 ? 0 : usable / (labels.length - 1)
  return {
    scale,
    stepPx: isBar ? stepPx : Math.max(gapPx, 4),
    x: (index) => LEFT + inset + index * gapPx,
    y: (value) => size.heightPx - BOTTOM - placeOn(scale, value) * (size.heightPx - BOTTOM - TOP),
  }
}

interface BarsProps {
  readonly series: ShownSeries
  readonly frame: Frame
  readonly place: number
  readonly count: number
  readonly patterns: string
}

function Bars({ series, frame, place, count, patterns }: BarsProps) {
  const widthPx = Math.max(1, (frame.stepPx * 0.72) / count)
  const zero = frame.y(0)
  return series.values.map((value, index) => {
    if (value === null) return null
    const y = frame.y(value)
    const left = frame.x(index) - (widthPx * count) / 2 + place * widthPx
    return (
      <rect
        // biome-ignore lint/suspicious/noArrayIndexKey: a value is its place
        key={index}
        className="chart-bar"
        data-series={series.index % 8}
        fill={`url(#${patterns}-${series.index})`}
        x={left}
        y={Math.min(y, zero)}
        width={Math.max(1, widthPx - 1)}
        height={Math.max(1, Math.abs(zero - y))}
      />
    )
  })
}

interface LineProps {
  readonly series: ShownSeries
  readonly frame: Frame
  readonly isArea: boolean
  readonly patterns: string
}

function Line({ series, frame, isArea, patterns }: LineProps) {
  const pieces = piecesOf(series.values)
  return (
    <g>
      {isArea &&
        pieces.map((piece) => (
          <path
            key={piece[0]?.index}
            className="chart-area"
            fill={`url(#${patterns}-${series.index})`}
            d={areaPath(piece, frame)}
          />
        ))}
      {pieces.map((piece) => (
        <path
          key={piece[0]?.index}
          className="chart-line"
          data-series={series.index % 8}
          strokeDasharray={dashOf(series.index)}
          d={linePath(piece, frame)}
        />
      ))}
      {series.values.length <= MOST_MARKS &&
        pieces
          .flat()
          .map(({ index, value }) => <Mark key={index} series={series.index} x={frame.x(index)} y={frame.y(value)} />)}
    </g>
  )
}

interface NamePlace {
  readonly index: number
  readonly name: string
  readonly x: number
  readonly y: number
}

/** Names need so much room between their base lines, in pixels. */
const NAME_PX = 14

/**
 * The name of a series stands at its line's beginning, above it or below, so that no legend has to be looked up. Where
 * neither is free the legend has it.
 */
function namePlaces(shown: readonly ShownSeries[], frame: Frame): readonly NamePlace[] {
  const placed: NamePlace[] = []
  for (const { index, name, values } of shown) {
    const first = values.findIndex((value) => value !== null)
    const value = values[first]
    if (value === null || value === undefined) continue
    const x = frame.x(first) + 8
    const free = [frame.y(value) - 9, frame.y(value) + 16].find(
      (y) => y > 10 && placed.every((other) => Math.abs(other.y - y) >= NAME_PX),
    )
    if (free !== undefined) placed.push({ index, name, x, y: free })
  }
  return placed
}

interface Point {
  readonly index: number
  readonly value: number
}

/** A line breaks where there is no value. */
function piecesOf(values: readonly (number | null)[]): readonly (readonly Point[])[] {
  const pieces: Point[][] = []
  let open: Point[] | null = null
  for (const [index, value] of values.entries()) {
    if (value === null) {
      open = null
      continue
    }
    if (open === null) {
      open = []
      pieces.push(open)
    }
    open.push({ index, value })
  }
  return pieces
}

function linePath(piece: readonly Point[], { x, y }: Frame): string {
  return piece.map(({ index, value }, place) => `${place === 0 ? 'M' : 'L'}${x(index)} ${y(value)}`).join('')
}

function areaPath(piece: readonly Point[], frame: Frame): string {
  const [first] = piece
  const last = piece.at(-1)
  if (!first || !last) return ''
  return `${linePath(piece, frame)}L${frame.x(last.index)} ${frame.y(0)}L${frame.x(first.index)} ${frame.y(0)}Z`
}
