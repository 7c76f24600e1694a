import { dueNote, type Fact, NOTE_LIMIT_TOKENS, noteLimitTokens } from '@holdfast/context'
import type { EntryOf } from '@holdfast/conversation'
import { describe, expect, it } from 'vitest'

const RATIO = 2.5
const AT = { limitTokens: NOTE_LIMIT_TOKENS, ratio: RATIO }

function fact(text: string | null, budgetTokens = 200): Fact {
  return { section: 'canvas', text, budgetTokens }
}

function told(text: string): EntryOf<'context-noted'> {
  return {
    type: 'context-noted',
    section: 'canvas',
    text,
    seq: 4,
    conversationId: 'c1',
    at: 0,
    v: 1,
    actor: { type: 'engine' },
  }
}

describe('what is noted', () => {
  it('[REQ6] notes a fact when the model was told nothing, or something else, and not again while it is the same', () => {
    expect(dueNote(fact('One card'), { noted: null, ...AT })).toBe('One card')
    expect(dueNote(fact('Two cards'), { noted: told('One card'), ...AT })).toBe('Two cards')
    expect(dueNote(fact('One card'), { noted: told('One card'), ...AT })).toBeNull()
  })

  it('[REQ6] says once that nothing is left of what the model was told', () => {
    expect(dueNote(fact(null), { noted: null, ...AT })).toBeNull()
    const gone = dueNote(fact(null), { noted: told('One card'), ...AT })
    expect(gone).toContain('no longer holds')
    expect(dueNote(fact(null), { noted: told(gone ?? ''), ...AT })).toBeNull()
  })

  it('[WIN18] has a share of a small window, and the usual limit in a large one or one that nobody knows', () => {
    const small = { windowTokens: 8_192, reservedOutputTokens: 2_048 }
    const large = { windowTokens: 200_000, reservedOutputTokens: 8_192 }
    expect(noteLimitTokens('canvas', small)).toBe(614)
    expect(noteLimitTokens('instructions', small)).toBe(921)
    for (const limits of [large, null]) {
      expect(noteLimitTokens('canvas', limits)).toBe(NOTE_LIMIT_TOKENS)
      expect(noteLimitTokens('map', limits)).toBe(8_000)
    }
  })

  it.each([
    ['its budget, in a script of one letter a token', 200, '東'.repeat(4_000), 200],
    ['its budget, where marks have to be escaped', 200, '<&>"'.repeat(2_000), 200],
    ['1,500 tokens, whatever its budget', 9_000, 'word '.repeat(9_000), NOTE_LIMIT_TOKENS],
  ])(
    '[REQ6] keeps a note within %s, and it stays the same while its text does',
    (_, budgetTokens, text, mostTokens) => {
      const note = dueNote(fact(text, budgetTokens), { noted: null, ...AT }) ?? ''
      const escapedChars = note.replaceAll(/[<>]/g, '1234').replaceAll(/&/g, '12345').replaceAll('"', '123456').length
      const tokens = note.includes('東') ? (note.match(/東/g)?.length ?? 0) : escapedChars / RATIO
      expect(tokens).toBeLessThanOrEqual(mostTokens)
      expect(tokens).toBeGreaterThan(mostTokens / 2)
      expect(note).toContain('characters left out')
      expect(dueNote(fact(text, budgetTokens), { noted: told(note), ...AT })).toBeNull()
    },
  )
})
