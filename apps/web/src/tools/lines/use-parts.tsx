import { useMemo, useState } from 'react'
import { say } from '../../shared/language/say.ts'
import { type Extent, extentOf, type Part, partsOf } from './parts.ts'

/** The part of something long that is shown, and the ways to the others. [UI122] */
export interface ShownPart<Line> {
  readonly rows: Part<Line>['rows']
  readonly before: Extent
  readonly after: Extent
  /** What no part that was shown had. */
  readonly unseen: Extent
  readonly whole: Extent
  show(which: 'before' | 'after' | 'last'): void
}

/** Shows what is long part by part, so that the page answers however long it is. `lines` must stay the same while nothing changes. */
export function useParts<Line extends { readonly text: string }>(lines: readonly Line[]): ShownPart<Line> {
  const parts = useMemo(() => partsOf(lines), [lines])
  const begin = { of: parts, at: 0, seen: FIRST }
  const [place, setPlace] = useState<Place>(begin)
  const { at, seen } = place.of === parts ? place : begin
  return {
    rows: parts[at]?.rows ?? [],
    before: extentOf(parts.slice(0, at)),
    after: extentOf(parts.slice(at + 1)),
    unseen: extentOf(parts.filter((_, index) => !seen.has(index))),
    whole: extentOf(parts),
    show(which) {
      const to = { before: at - 1, after: at + 1, last: parts.length - 1 }[which]
      setPlace({ of: parts, at: to, seen: new Set(seen).add(to) })
    },
  }
}

interface Place {
  readonly of: readonly Part<unknown>[]
  readonly at: number
  /** The places of the parts that were shown. */
  readonly seen: ReadonlySet<number>
}

const FIRST: ReadonlySet<number> = new Set([0])

interface PartLineProps {
  readonly part: Pick<ShownPart<unknown>, 'before' | 'after' | 'show'>
  readonly which: 'before' | 'after'
}

/** How much stands before or after what is shown, with the way there; nothing where there is nothing. */
export function PartLine({ part, which }: PartLineProps) {
  const extent = part[which]
  if (extent.characters === 0) return null
  const [count, press] =
    which === 'before'
      ? (['tools.lines-before', 'tools.part-before'] as const)
      : (['tools.lines-after', 'tools.part-after'] as const)
  return (
    <p className="meta" data-testid={`part-${which}`}>
      {say(count, { lines: extent.lines, characters: extent.characters })}{' '}
      <button type="button" className="link-button" onClick={() => part.show(which)}>
        {say(press)}
      </button>
    </p>
  )
}
