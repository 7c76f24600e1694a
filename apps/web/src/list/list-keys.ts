import type { KeyboardEvent } from 'react'

/** Letters that follow one another within this long are one word, in milliseconds. */
const WORD_MS = 700

let typed = { text: '', at: 0 }

/** Moves between the rows of the list: by the arrows, to its ends, or to the row that begins with what is typed. */
export function onListKey(event: KeyboardEvent<HTMLElement>): void {
  const { currentTarget: list, target, key } = event
  if (event.ctrlKey || event.metaKey || event.altKey || !(target instanceof HTMLAnchorElement)) return
  const rows = [...list.querySelectorAll<HTMLAnchorElement>('a.conversation-row, a.search-hit')]
  const to = rows[nextIndex(rows, rows.indexOf(target), key)]
  if (!to) return
  event.preventDefault()
  to.focus()
}

function nextIndex(rows: readonly HTMLElement[], index: number, key: string): number {
  switch (key) {
    case 'ArrowDown':
      return Math.min(index + 1, rows.length - 1)
    case 'ArrowUp':
      return Math.max(index - 1, 0)
    case 'Home':
      return 0
    case 'End':
      return rows.length - 1
    default:
      return key.length === 1 && key !== ' ' ? startingWith(rows, key) : -1
  }
}

function startingWith(rows: readonly HTMLElement[], letter: string): number {
  const now = performance.now()
  typed = { text: now - typed.at < WORD_MS ? typed.text + letter : letter, at: now }
  const wanted = typed.text.toLowerCase()
  return rows.findIndex((row) =>
    row.querySelector('.title, .search-title')?.textContent?.toLowerCase().startsWith(wanted),
  )
}
