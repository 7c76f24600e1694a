import type { ReferenceGraph } from './reference-graph.ts'

/** What is walked, and where a walk begins anew. */
export interface RankOrder {
  readonly graph: Pick<ReferenceGraph, 'fileCount' | 'edges'>
  /** How likely a walk begins at each file; they sum up to 1. */
  readonly starts: Float64Array
  /** What an edge counts in the other direction: from what is used to its users. From 0 to 1. */
  readonly backShare: number
}

/** How often a walk follows an edge and does not begin anew. */
const DAMPING = 0.85
/** After so many rounds an error of the beginning is below 2 % of what it was, and no order changes any more. */
const ROUNDS = 24

/**
 * How often a walk over the edges comes to each file. They sum up to 1. It always takes the same rounds from the same
 * beginning: one that went on from an earlier result would depend on it in its last digits, and ties with it. [MAP1]
 *
 * @see https://en.wikipedia.org/wiki/PageRank
 */
export function pageRank({ graph: { fileCount, edges }, starts, backShare }: RankOrder): Float64Array {
  const count = edges.length * 2
  const from = new Int32Array(count)
  const to = new Int32Array(count)
  const weights = new Float64Array(count)
  const sums = new Float64Array(fileCount)
  for (const [index, edge] of edges.entries()) {
    const back = index + edges.length
    from[index] = edge.from
    to[index] = edge.to
    weights[index] = edge.weight
    from[back] = edge.to
    to[back] = edge.from
    weights[back] = edge.weight * backShare
    sums[edge.from] = (sums[edge.from] ?? 0) + edge.weight
    sums[edge.to] = (sums[edge.to] ?? 0) + edge.weight * backShare
  }
  for (let index = 0; index < count; index += 1) {
    const sum = sums[from[index] ?? 0] ?? 0
    weights[index] = sum === 0 ? 0 : (weights[index] ?? 0) / sum
  }
  let ranks = Float64Array.from(starts)
  for (let round = 0; round < ROUNDS; round += 1) {
    const next = new Float64Array(fileCount)
    for (let index = 0; index < count; index += 1) {
      const target = to[index] ?? 0
      next[target] = (next[target] ?? 0) + (ranks[from[index] ?? 0] ?? 0) * (weights[index] ?? 0)
    }
    // Where no edge leads on, and in the rest of the cases, a walk begins anew.
    let kept = 0
    for (const rank of next) kept += rank
    for (let file = 0; file < fileCount; file += 1)
      next[file] = DAMPING * (next[file] ?? 0) + (1 - DAMPING * kept) * (starts[file] ?? 0)
    ranks = next
  }
  return ranks
}
