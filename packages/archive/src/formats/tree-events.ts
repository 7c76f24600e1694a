import type { SourceEvent } from '../log/source-event.ts'
import type { ReadContext } from './format-reader.ts'

/** A message of a source that keeps its conversations as trees. */
export interface TreeNode {
  readonly id: string
  readonly parentId: string | null
  /** Whether a person said it: it begins an exchange. */
  readonly isPerson: boolean
  /** What it says, given the call that is open on its path, by `callId`. */
  events(openCallId: string | null): readonly SourceEvent[]
  /** The call that it makes, which a later message may answer; null where it makes none. */
  readonly callId: string | null
}

/** Beyond so many steps from leaf to root a tree is no conversation of people: only its current path is taken. */
const STEPS_LIMIT = 1_000_000

interface Group {
  readonly nodes: TreeNode[]
}

/**
 * The paths of a tree, one after the other, the current one last: so each branch stands in the log, and the path that
 * counts is the one that the source shows. A branch goes on after the end of an exchange; where it parts in the middle
 * of one, its input is said again, as a retry does. [PRJ6]
 */
export function* treeEvents(
  nodes: readonly TreeNode[],
  currentId: string | null,
  { log, note }: ReadContext,
): Iterable<SourceEvent> {
  const known = new Map(nodes.map((node) => [node.id, node]))
  const childCounts = new Map<string | null, number>()
  for (const { parentId } of nodes) childCounts.set(parentId, (childCounts.get(parentId) ?? 0) + 1)
  /** By the exchange before and the messages of this one. */
  const exchangeOf = new Map<string, number>()
  for (const path of pathsOf(known, currentId, note)) {
    let shared = 0
    let firstNew: Group | null = null
    const groups = groupsOf(path)
    for (const group of groups) {
      const key = JSON.stringify([firstNew === null ? shared : log.exchange(), group.nodes.map(({ id }) => id)])
      const written = exchangeOf.get(key)
      if (firstNew === null && written !== undefined) {
        shared = written
        continue
      }
      const isFirst = firstNew === null
      firstNew ??= group
      if (log.exchange() > 0) {
        const reason = isFirst && isAnsweredAgain(group, childCounts) ? 'retry' : 'edit'
        yield { type: 'went-back', toExchange: isFirst ? shared : log.exchange(), reason, at: null }
      }
      yield* groupEvents(group)
      exchangeOf.set(key, log.exchange())
    }
    // The whole path is there already: it only has to count again.
    if (firstNew === null && groups.length > 0)
      yield { type: 'went-back', toExchange: shared, reason: 'rewind', at: null }
  }
}

function* groupEvents({ nodes }: Group): Iterable<SourceEvent> {
  let openCallId: string | null = null
  for (const node of nodes) {
    yield* node.events(openCallId)
    if (node.callId !== null) openCallId = node.callId
  }
}

/** Whether the input of a group has several answers. */
function isAnsweredAgain({ nodes: [first] }: Group, childCounts: ReadonlyMap<string | null, number>): boolean {
  return first?.isPerson === true && (childCounts.get(first.id) ?? 0) > 1
}

/** A person's message and what follows up to the next one. */
function groupsOf(path: readonly TreeNode[]): Group[] {
  const groups: Group[] = []
  for (const node of path) {
    const last = groups.at(-1)
    if (last && !node.isPerson) last.nodes.push(node)
    else groups.push({ nodes: [node] })
  }
  return groups
}

function* pathsOf(
  known: ReadonlyMap<string, TreeNode>,
  currentId: string | null,
  note: ReadContext['note'],
): Iterable<TreeNode[]> {
  const parents = new Set([...known.values()].map(({ parentId }) => parentId))
  const leaves = [...known.values()].filter(({ id }) => !parents.has(id))
  const current = currentId === null ? undefined : known.get(currentId)
  const last = current ?? leaves.at(-1)
  let steps = 0
  for (const leaf of leaves) {
    if (leaf === last) continue
    const path = pathTo(leaf, known)
    steps += path.length
    if (steps > STEPS_LIMIT) {
      note({ reason: 'too-long', what: 'Further branches of a conversation with very many' })
      break
    }
    yield path
  }
  if (last) yield pathTo(last, known)
}

/** From the root; a circle ends where it closes. */
function pathTo(leaf: TreeNode, known: ReadonlyMap<string, TreeNode>): TreeNode[] {
  const path: TreeNode[] = []
  const seen = new Set<string>()
  for (let node: TreeNode | undefined = leaf; node && !seen.has(node.id); ) {
    seen.add(node.id)
    path.push(node)
    node = node.parentId === null ? undefined : known.get(node.parentId)
  }
  return path.reverse()
}
