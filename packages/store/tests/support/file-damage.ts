import fc from 'fast-check'

const PAGE = 4_096

/** One way in which a disk or a person spoils a file. Numbers from 0 to 1 say where. */
export type FileDamage =
  | { readonly kind: 'flipped-byte'; readonly at: number; readonly mask: number }
  | { readonly kind: 'flipped-in-header'; readonly at: number; readonly mask: number }
  | { readonly kind: 'zeroed-page' | 'garbled-page' | 'cut-at-page'; readonly at: number }
  | { readonly kind: 'cut'; readonly at: number }
  | { readonly kind: 'page-over-another'; readonly at: number; readonly from: number }
  | { readonly kind: 'zeroed-sectors'; readonly at: number; readonly count: number }

/** Without the bias of fast-check towards the smallest numbers: every place of a file is as likely. */
const place = fc.noBias(fc.integer({ min: 0, max: 2 ** 30 - 1 })).map((drawn) => drawn / 2 ** 30)
const mask = fc.integer({ min: 1, max: 255 })

/** Damages of every kind; flipped bytes are the most frequent. */
export const fileDamage: fc.Arbitrary<FileDamage> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('flipped-byte' as const), at: place, mask }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('flipped-in-header' as const), at: place, mask }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constantFrom('zeroed-page', 'garbled-page', 'cut-at-page'), at: place }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cut' as const), at: place }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('page-over-another' as const), at: place, from: place }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('zeroed-sectors' as const),
      at: place,
      count: fc.integer({ min: 1, max: 20 }),
    }),
  },
)

/** The content of a file after the damage. */
export function spoil(content: Buffer, damage: FileDamage): Buffer {
  const spoilt = Buffer.from(content)
  const pageAt = (at: number) => Math.floor((at * content.length) / PAGE) * PAGE
  switch (damage.kind) {
    case 'flipped-byte':
      flip(spoilt, Math.floor(damage.at * content.length), damage.mask)
      return spoilt
    case 'flipped-in-header':
      flip(spoilt, Math.floor(damage.at * 100), damage.mask)
      return spoilt
    case 'zeroed-page':
      return spoilt.fill(0, pageAt(damage.at), pageAt(damage.at) + PAGE)
    case 'garbled-page':
      for (let index = 0; index < PAGE; index++) spoilt[pageAt(damage.at) + index] = (index * 167 + 13) % 256
      return spoilt
    case 'cut-at-page':
      return spoilt.subarray(0, pageAt(damage.at))
    case 'cut':
      return spoilt.subarray(0, Math.floor(damage.at * content.length))
    case 'page-over-another':
      content.copy(spoilt, pageAt(damage.at), pageAt(damage.from), pageAt(damage.from) + PAGE)
      return spoilt
    case 'zeroed-sectors': {
      const from = Math.floor((damage.at * content.length) / 512) * 512
      return spoilt.fill(0, from, Math.min(content.length, from + damage.count * 512))
    }
  }
}

function flip(content: Buffer, at: number, bits: number): void {
  content[at] = (content[at] ?? 0) ^ bits
}
