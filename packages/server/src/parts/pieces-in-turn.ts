import { type Clock, type InTurn, othersTurn, PART_MS } from '@holdfast/conversation'

/**
 * The same pieces, each made in a turn: of all that share the turns one is made at a time. A turn ends with its piece, so
 * that a reader who takes long to read it holds nobody up, and between pieces others of the process have theirs.
 * [LOG18, SEC31]
 */
export async function* piecesInTurn(
  pieces: AsyncGenerator<string>,
  { inTurn, clock }: { readonly inTurn: InTurn; readonly clock: Pick<Clock, 'monotonicMs' | 'after'> },
): AsyncGenerator<string> {
  let begun = clock.monotonicMs()
  try {
    for (;;) {
      if (clock.monotonicMs() - begun >= PART_MS) {
        await othersTurn(clock)
        begun = clock.monotonicMs()
      }
      const piece = await inTurn(() => pieces.next())
      if (piece.done) return
      yield piece.value
    }
  } finally {
    await pieces.return(undefined)
  }
}
