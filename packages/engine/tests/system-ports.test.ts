import { sha256, sha256Both, systemIds } from '@holdfast/engine/system'
import fc from 'fast-check'
import { expect, it } from 'vitest'

it('[REQ1] hashes a text and what it grows to in one pass as in two, in the form that receipts have', () => {
  const seed = Date.now()
  const words = fc.string({ unit: 'binary' }).map((text) => text.toWellFormed())
  fc.assert(
    fc.property(words, words, (text, more) => {
      expect(sha256Both({ text, more })).toEqual({ ofText: sha256(text), ofAll: sha256(`${text}${more}`) })
    }),
    { seed },
  )
  expect(sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})

it('[ARCH5] makes ids that are never the same, also in their random part and beyond what one answer of the machine holds', () => {
  const ids = Array.from({ length: 2_000 }, () => systemIds.next('run'))
  for (const id of ids) expect(id).toMatch(/^run_[0-9a-f]{32}$/)
  expect(new Set(ids.map((id) => id.slice(-20))).size).toBe(ids.length)
})
