import type { KeyboardEvent } from 'react'

/** Letters that follow one another within this long are one word, in milliseconds. */
const WORD_MS = 700

const ROWS = 'a.conversation-row, a.search-hit'

let typed = { text: '', at: 0 }

/** Moves between the rows of the list: by the arrows, to its ends, or to the row that begins with what is typed. */
export function onListKey(event: KeyboardEvent<HTMLElement>): void {
  const { currentTarget: list, target, key } = event
  if (event.ctrlKey || event.metaKey || event.altKey || !(target instanceof HTMLAnchorElement)) return
  const rows = [...list.querySelectorAll<HTMLAnchorElement>(ROWS)]
  const to = rows[nextIndex(rows, rows.indexOf(target), key)]
  if (!to) return
  event.preventDefault()
  to.focus()
  if (key === 'Home' || key === 'End') goToEnd(list, key)
}

/** Of a long list only what is near the view is in the page: its end is there when it has been scrolled to. */
function goToEnd(list: HTMLElement, key: 'Home' | 'End'): void {
  list.scrollTop = key === 'Home' ? 0 : list.scrollHeight
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      const rows = [...list.querySelectorAll<HTMLAnchorElement>(ROWS)]
      rows.at(key === 'Home' ? 0 : -1)?.focus()
    }),
  )
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
