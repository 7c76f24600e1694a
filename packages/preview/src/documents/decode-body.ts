import type { Transform } from 'node:stream'
import { constants, createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib'

/** What undoes the encoding of a body, piece by piece as it comes; null for one that nobody here knows. */
export function decoderOf(encoding: string): Transform | 'as it is' | null {
  switch (encoding.trim().toLowerCase()) {
    case '':
    case 'identity':
      return 'as it is'
    case 'gzip':
    case 'x-gzip':
      return createGunzip({ finishFlush: constants.Z_SYNC_FLUSH })
    case 'deflate':
      return createInflate({ finishFlush: constants.Z_SYNC_FLUSH })
    case 'br':
      return createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH })
    case 'zstd':
      return createZstdDecompress({ finishFlush: constants.ZSTD_e_flush })
    default:
      return null
  }
}
