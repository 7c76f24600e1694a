import type { MapLine, RankedMap } from './ranked-map.ts'

/** What a map is drawn within. */
export interface MapBudget {
  readonly budgetTokens: number
  /** Tokens that a text takes; a longer text takes no fewer. */
  readonly tokensOf: (text: string) => number
  /** From 1. Each page goes on behind the one before. */
  readonly page: number
}

/** A map, drawn. */
export interface DrawnMap {
  /** Files with the lines that define what matters, sorted by their paths. */
  readonly text: string
  readonly tokens: number
  /** Files that it names. */
  readonly shownCount: number
  /** Files of the repository. */
  readonly fileCount: number
  /** Files that were not read, for lack of time. */
  readonly unreadCount: number
  /** Whether another page has more. */
  readonly hasMore: boolean
}

/**
 * Draws as much of a ranking as a budget holds: never more, and where there is enough at least 85 % of it. The same
 * ranking gives the same bytes. [MAP1]
 */
export function drawMap(ranked: Omit<RankedMap, 'topPaths' | 'parsedCount'>, budget: MapBudget): DrawnMap {
  let from = 0
  let to = fitting(ranked, from, budget)
  for (let page = 1; page < budget.page && to > from; page += 1) {
    from = to
    to = fitting(ranked, from, budget)
  }
  const shown = ranked.lines.slice(from, to)
  const text = shown.length === 0 ? '' : textOf(ranked, shown)
  return {
    text,
    tokens: text === '' ? 0 : budget.tokensOf(text),
    shownCount: new Set(shown.map(({ path }) => path)).size,
    fileCount: ranked.fileCount,
    unreadCount: ranked.unreadCount,
    hasMore: to < ranked.lines.length,
  }
}

/** Where the page ends that begins at a line: by halving, as every line makes it longer. */
function fitting(ranked: Parameters<typeof drawMap>[0], from: number, { budgetTokens, tokensOf }: MapBudget): number {
  const fits = (to: number) => tokensOf(textOf(ranked, ranked.lines.slice(from, to))) <= budgetTokens
  let [least, most] = [from, ranked.lines.length]
  while (least < most) {
    const middle = Math.ceil((least + most) / 2)
    if (fits(middle)) least = middle
    else most = middle - 1
  }
  return least
}

function textOf(ranked: Parameters<typeof drawMap>[0], shown: readonly MapLine[]): string {
  const byPath = new Map<string, MapLine[]>()
  for (const line of shown) {
    const known = byPath.get(line.path)
    if (known === undefined) byPath.set(line.path, [line])
    else known.push(line)
  }
  const paths = [...byPath.keys()].sort()
  return [
    headingOf(ranked),
    ...paths.flatMap((path) => [
      path,
      ...(byPath.get(path) ?? [])
        .filter(({ line }) => line !== null)
        .sort((one, other) => (one.line ?? 0) - (other.line ?? 0))
        .map(({ text }) => `  ${text}`),
    ]),
  ].join('\n')
}

/** What stands above the files. */
function headingOf({ fileCount, unreadCount, isCut }: Parameters<typeof drawMap>[0]): string {
  const all = isCut ? `more than ${fileCount}` : `${fileCount}`
  const partly =
    unreadCount === 0
      ? ''
      : ` Partial: ${fileCount - unreadCount} of ${all} files were looked at in the time there was; the others are known by name.`
  return `Files of this repository that matter most, with lines that define what others use; ${all} files in all.${partly}`
}
