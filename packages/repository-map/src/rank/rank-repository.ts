import type { Repository } from '../repository/read-repository.ts'
import { type Focus, focusOf } from './focus.ts'
import { pageRank } from './page-rank.ts'
import { referenceGraph } from './reference-graph.ts'

/** Files and definitions of a repository by what they matter to a text. */
export interface Ranking {
  /** Places of files, from the one that matters most. */
  readonly files: readonly number[]
  /** What may stand on the map, from what matters most. */
  readonly lines: readonly RankedLine[]
}

/** A definition, or a file as such. */
export interface RankedLine {
  readonly file: number
  /** Its place among the definitions of the file; null for the file's name alone. */
  readonly definition: number | null
}

/** How much of the walks begins at files that the text is about, where it is about any. */
const FOCUS_SHARE = 0.8
/** Users of what is asked about matter too, less than what is used. */
const BACK_SHARE = 0.4
/** What a definition counts that nobody refers to, beside its file. */
const UNREFERRED = 0.05
/** What each further definition of a file counts less, so that one file does not fill the map. */
const CROWDING = 0.15

/** Ranks what is in a repository, for a text that may be empty. The same input gives the same ranking. [MAP1, MAP6] */
export function rankRepository(repository: Pick<Repository, 'files' | 'tags'>, text: string): Ranking {
  const { files, tags } = repository
  const focus = focusOf(repository, text)
  const graph = referenceGraph(repository, focus.names)
  const starts = startsFrom(focus, files.length)
  const ranks = pageRank({ graph, starts, backShare: BACK_SHARE })
  const named = new Map(focus.namedFiles.map((file, index) => [file, focus.namedFiles.length - index]))
  // A rank is below 1: what the text names stands before everything else.
  const scores = Array.from(ranks, (rank, file) => (named.get(file) ?? 0) + rank)
  let most = 0
  for (const rank of ranks) most = Math.max(most, rank)
  const order = scores
    .map((_, file) => file)
    .sort((one, other) => (scores[other] ?? 0) - (scores[one] ?? 0) || one - other)

  const referred = tags.map(({ definitions }) => new Float64Array(definitions.length))
  for (const { from, to, weight, definition } of graph.edges) {
    const into = definition === null ? undefined : referred[to]
    if (into && definition !== null) into[definition] = (into[definition] ?? 0) + weight * (ranks[from] ?? 0)
  }
  const scored = order.flatMap((file) =>
    linesOf({
      file,
      score: (ranks[file] ?? 0) + (named.has(file) ? most : 0),
      referred: referred[file] ?? NONE,
    }),
  )
  // The sort is stable: what is equal stays in the order of files and of lines.
  scored.sort((one, other) => other.score - one.score)
  return { files: order, lines: scored.map(({ file, definition }) => ({ file, definition })) }
}

const NONE = new Float64Array()

interface ScoredLine extends RankedLine {
  readonly score: number
}

function linesOf(of: { readonly file: number; readonly score: number; readonly referred: Float64Array }): ScoredLine[] {
  const { file, score, referred } = of
  if (referred.length === 0) return [{ file, definition: null, score: score * UNREFERRED }]
  let sum = 0
  for (const weight of referred) sum += weight
  const shares = Array.from(referred, (weight) => (sum === 0 ? 0 : weight / sum) + UNREFERRED)
  const order = shares
    .map((_, index) => index)
    .sort((one, other) => (shares[other] ?? 0) - (shares[one] ?? 0) || one - other)
  return order.map((definition, place) => ({
    file,
    definition,
    score: (score * (shares[definition] ?? 0)) / (1 + CROWDING * place),
  }))
}

function startsFrom({ matches, namedFiles }: Focus, fileCount: number): Float64Array {
  const weights = Float64Array.from(matches)
  let most = 0
  for (const weight of weights) most = Math.max(most, weight)
  for (const file of namedFiles) weights[file] = Math.max(1, most * 2)
  let sum = 0
  for (const weight of weights) sum += weight
  const share = sum === 0 ? 0 : FOCUS_SHARE
  return weights.map((weight) => (1 - share) / fileCount + (sum === 0 ? 0 : (share * weight) / sum))
}
