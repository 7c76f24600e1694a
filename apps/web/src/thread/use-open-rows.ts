import { type SyntheticEvent, useCallback, useMemo, useState } from 'react'

/** So many rows stay in the page because somebody acted in them; the one that was acted in longest ago goes first. */
const MOST_ROWS = 50

/** The rows in which the person has acted. */
export interface OpenRows {
  /** Their places among the rows that are shown. */
  readonly indexes: readonly number[]
  /** For every press, and every move of the focus, in the rows. */
  readonly onAct: (event: SyntheticEvent) => void
}

/**
 * Rows far from the view are taken out of the page, and those on one side of it while it moves. One in which the person
 * has acted stays: what is open or written in it would go with it, and a press whose row is drawn anew is lost. [UI12]
 *
 * @param keys - the rows that are shown, in their order; each is drawn with its place as `data-row`.
 */
export function useOpenRows(keys: readonly string[]): OpenRows {
  const [acted, setActed] = useState<readonly string[]>([])
  const onAct = useCallback(
    ({ target }: SyntheticEvent) => {
      const row = target instanceof Element ? target.closest<HTMLElement>('[data-row]') : null
      const key = row ? keys[Number(row.dataset['row'])] : undefined
      if (key === undefined) return
      setActed((known) =>
        known.at(-1) === key ? known : [...known.filter((one) => one !== key), key].slice(-MOST_ROWS),
      )
    },
    [keys],
  )
  const indexes = useMemo(() => acted.map((key) => keys.indexOf(key)).filter((index) => index >= 0), [acted, keys])
  return { indexes, onAct }
}
