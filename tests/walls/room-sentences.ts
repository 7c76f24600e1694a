/** A page that says which rooms a folder has. */
export interface TellingPage {
  readonly path: string
  readonly text: string
}

/** How a page says them; what follows is the list, up to a full stop. What stands in brackets explains a room. */
const TOLD = /from the roof: ([\w, -]+)\./g

/**
 * [ARCH16] Rooms of a folder that its package's README does not say as the walls have them, and sentences about rooms
 * that are no folder's.
 */
export function roomSentenceOffences(
  rooms: Readonly<Record<string, readonly string[]>>,
  pages: readonly TellingPage[],
): string[] {
  const told = pages.map(({ path, text }) => ({ path, lists: listsOf(text) }))
  const all = Object.values(rooms).map(sentenceOf)
  return [
    ...Object.entries(rooms).flatMap(([house, order]) => {
      const readme = `${house.split('/').slice(0, 2).join('/')}/README.md`
      const isTold = told.some(({ path, lists }) => path === readme && lists.includes(sentenceOf(order)))
      return isTold ? [] : [`${readme}: does not say of ${house} "from the roof: ${sentenceOf(order)}."`]
    }),
    ...told.flatMap(({ path, lists }) =>
      lists.filter((list) => !all.includes(list)).map((list) => `${path}: no folder has the rooms ${list}`),
    ),
  ]
}

function sentenceOf(order: readonly string[]): string {
  return order.join(', ')
}

function listsOf(text: string): string[] {
  const line = text.replace(/ \([^()]*\)/g, '').replace(/\s+/g, ' ')
  return [...line.matchAll(TOLD)].map(([, list = '']) => list)
}
