/** What tells the series of a chart apart without colour: a dash, a shape and a pattern for each place. */
const DASHES = ['', '5 3', '2 3', '8 3 2 3', '1 4', '10 4', '6 2 1 2', '3 6'] as const
const SHAPES = ['circle', 'square', 'diamond', 'triangle', 'ring', 'cross', 'bar', 'dot'] as const

/** The dash of a series's line; none for the first. */
export function dashOf(series: number): string | undefined {
  return DASHES[series % DASHES.length] || undefined
}

/** A point of a series, in the shape that its place has. */
export function Mark({ series, x, y }: { readonly series: number; readonly x: number; readonly y: number }) {
  const shape = SHAPES[series % SHAPES.length] ?? 'circle'
  const common = { className: 'chart-mark', 'data-series': series % 8 }
  switch (shape) {
    case 'circle':
      return <circle {...common} data-hollow cx={x} cy={y} r={3.2} />
    case 'square':
      return <rect {...common} x={x - 3} y={y - 3} width={6} height={6} />
    case 'diamond':
      return <path {...common} d={`M${x} ${y - 4.2}l4.2 4.2-4.2 4.2-4.2-4.2Z`} />
    case 'triangle':
      return <path {...common} d={`M${x} ${y - 4}l4 7h-8Z`} />
    case 'ring':
      return <rect {...common} data-hollow x={x - 3} y={y - 3} width={6} height={6} />
    case 'cross':
      return <path {...common} data-hollow d={`M${x - 3.5} ${y - 3.5}l7 7m0-7-7 7`} />
    case 'bar':
      return <rect {...common} x={x - 1.5} y={y - 4} width={3} height={8} />
    case 'dot':
      return <circle {...common} cx={x} cy={y} r={2.2} />
  }
}

/** How a series looks, for the legend: its line with a point, or its fill. */
export function SeriesSign(props: { readonly series: number; readonly isLine: boolean; readonly patterns: string }) {
  const { series, isLine, patterns } = props
  return (
    <svg className="chart-sign" width={24} height={12} aria-hidden="true">
      {isLine ? (
        <>
          <path className="chart-line" data-series={series % 8} strokeDasharray={dashOf(series)} d="M0 6h24" />
          <Mark series={series} x={12} y={6} />
        </>
      ) : (
        <rect x={6} width={12} height={12} fill={`url(#${patterns}-${series})`} />
      )}
    </svg>
  )
}

/** Fills of bars, areas and slices: the colour of the series with a pattern of its own over it. */
export function Patterns({ prefix, count }: { readonly prefix: string; readonly count: number }) {
  return (
    <defs>
      {Array.from({ length: count }, (_, series) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a series is its place
        <pattern key={series} id={`${prefix}-${series}`} width={8} height={8} patternUnits="userSpaceOnUse">
          <rect className="chart-fill" data-series={series % 8} width={8} height={8} />
          <path className="chart-hatch" d={PATTERNS[series % PATTERNS.length]} />
        </pattern>
      ))}
    </defs>
  )
}

/** The first is plain; the others are told apart in grey as well. */
const PATTERNS = [
  '',
  'M-2 2l4-4M0 8l8-8M6 10l4-4',
  'M2 2h1v1h-1ZM6 6h1v1h-1Z',
  'M0 2h8M0 6h8',
  'M-2 6l4 4M0 0l8 8M6-2l4 4',
  'M2 0v8M6 0v8',
  'M0 4h8M4 0v8',
  'M1 1h2v2h-2ZM5 5h2v2h-2Z',
] as const
