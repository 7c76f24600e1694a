import { type RefObject, useEffect, useRef } from 'react'

/**
 * Keeps the focus where one was: where the row that had it goes, the row that takes its place has it, and of the last one the one
 * before. `ids`: of the rows, in their order. [UI105]
 */
export function useKeptFocus(ids: readonly string[]): RefObject<HTMLUListElement | null> {
  const list = useRef<HTMLUListElement>(null)
  const before = useRef<{ readonly ids: readonly string[]; readonly index: number }>({ ids: [], index: -1 })
  useEffect(() => {
    const rows = [...(list.current?.children ?? [])]
    const { ids: known, index } = before.current
    const had = known[index]
    const isLost = document.activeElement === document.body || document.activeElement === null
    if (had !== undefined && isLost && !ids.includes(had)) {
      const next = known.slice(index + 1).find((id) => ids.includes(id))
      const at = next === undefined ? rows.length - 1 : ids.indexOf(next)
      const row = rows[at]
      if (row instanceof HTMLElement) row.focus()
      before.current = { ids, index: at }
    } else before.current = { ids, index: had === undefined ? -1 : ids.indexOf(had) }
  })
  useEffect(() => {
    function onFocus(): void {
      const rows = [...(list.current?.children ?? [])]
      const index = rows.findIndex((row) => row.contains(document.activeElement))
      if (document.activeElement !== document.body) before.current = { ...before.current, index }
    }
    document.addEventListener('focusin', onFocus)
    return () => document.removeEventListener('focusin', onFocus)
  }, [])
  return list
}
