const figures = new Intl.NumberFormat(undefined, { maximumFractionDigits: 6 })

/** A figure as people read it. */
export function figureText(value: number): string {
  return figures.format(value)
}
