import type { InTurn } from '@holdfast/conversation'

/**
 * The same pieces, each made in a turn: of all that share the turns one is made at a time. A turn ends with its piece, so
 * that a reader who takes long to read it holds nobody up. [LOG18]
 */
export async function* piecesInTurn(pieces: AsyncGenerator<string>, inTurn: InTurn): AsyncGenerator<string> {
  try {
    for (;;) {
      const piece = await inTurn(() => pieces.next())
      if (piece.done) return
      yield piece.value
    }
  } finally {
    await pieces.return(undefined)
  }
}
