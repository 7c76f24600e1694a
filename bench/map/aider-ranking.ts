import type { TaggedFile } from '@holdfast/repository-map/testing'

/**
 * The ranking of aider's repository map, written from its description, as a baseline: names are matched whole, a file
 * refers to every file that defines what it uses, and a walk begins at the files that the question names.
 *
 * @see https://aider.chat/docs/repomap.html
 */
export function aiderRanking(files: readonly TaggedFile[], question: string): readonly string[] {
  const said = new Set(question.split(/\W+/).filter((word) => word !== ''))
  const definers = new Map<string, Set<number>>()
  const users = new Map<string, Map<number, number>>()
  for (const [file, { tags }] of files.entries()) {
    for (const { name } of tags.definitions) definers.set(name, (definers.get(name) ?? new Set()).add(file))
    for (const { name, count } of [...tags.references, ...tags.members]) {
      const known = users.get(name) ?? new Map<number, number>()
      users.set(name, known.set(file, (known.get(file) ?? 0) + count))
    }
  }
  const edges: Edge[] = []
  for (const [name, defining] of definers) {
    const using = users.get(name)
    if (using === undefined) {
      for (const file of defining) edges.push({ from: file, to: file, weight: SELF })
      continue
    }
    const factor = factorOf(name, { isSaid: said.has(name), definerCount: defining.size })
    for (const [from, count] of using)
      for (const to of defining) edges.push({ from, to, weight: factor * Math.sqrt(count) })
  }
  const ranks = walk(edges, startsOf(files, { said, question }))
  // Each definition has the rank that comes to it over its edges: what a file's definitions have is the file's.
  const place = files.map((_, index) => index)
  place.sort((one, other) => (ranks[other] ?? 0) - (ranks[one] ?? 0) || one - other)
  return place.map((file) => files[file]?.path ?? '')
}

interface Edge {
  readonly from: number
  readonly to: number
  readonly weight: number
}

const SELF = 0.1
const DAMPING = 0.85
const ROUNDS = 60

function factorOf(
  name: string,
  { isSaid, definerCount }: { readonly isSaid: boolean; readonly definerCount: number },
): number {
  const isJoined = /[_-]/.test(name) || (/\p{Lu}/u.test(name) && /\p{Ll}/u.test(name))
  let factor = 1
  if (isSaid) factor *= 10
  if (isJoined && name.length >= 8) factor *= 10
  if (name.startsWith('_')) factor *= 0.1
  if (definerCount > 5) factor *= 0.1
  return factor
}

function startsOf(
  files: readonly TaggedFile[],
  { said, question }: { readonly said: ReadonlySet<string>; readonly question: string },
): readonly number[] | null {
  const words = new Set(question.split(/\s+/))
  const starts = files.map(({ path }) => {
    const names = path.split('/')
    const base = names.at(-1) ?? ''
    const stem = base.replace(/\.[^.]*$/, '')
    return words.has(path) || words.has(base) || said.has(stem) || names.some((name) => said.has(name)) ? 1 : 0
  })
  const sum = starts.reduce<number>((total, start) => total + start, 0)
  return sum === 0 ? null : starts.map((start) => start / sum)
}

function walk(edges: readonly Edge[], personal: readonly number[] | null): Float64Array {
  const count = Math.max(-1, ...new Set(edges.flatMap(({ from, to }) => [from, to]))) + 1
  const size = Math.max(count, personal?.length ?? 0)
  const start = (file: number) => personal?.[file] ?? (personal === null ? 1 / size : 0)
  const sums = new Float64Array(size)
  for (const { from, weight } of edges) sums[from] = (sums[from] ?? 0) + weight
  let ranks = Float64Array.from({ length: size }, (_, file) => start(file))
  for (let round = 0; round < ROUNDS; round += 1) {
    const next = new Float64Array(size)
    for (const { from, to, weight } of edges)
      next[to] = (next[to] ?? 0) + ((ranks[from] ?? 0) * weight) / (sums[from] ?? 1)
    const kept = next.reduce((total, rank) => total + rank, 0)
    ranks = next.map((rank, file) => DAMPING * rank + (1 - DAMPING * kept) * start(file))
  }
  return ranks
}
