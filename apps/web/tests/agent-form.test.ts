import { describe, expect, it } from 'vitest'
import { withLimit } from '../src/agents/agent-form.ts'

describe('the limits of an agent', () => {
  it('[WIN10] are set one by one and taken back, and never dropped without a word', () => {
    const limits = { stepsPerRun: 9 }
    expect(withLimit(limits, 'callsPerStep', 4)).toEqual({ stepsPerRun: 9, callsPerStep: 4 })
    expect(withLimit(limits, 'stepsPerRun', null)).toEqual({})
    expect(() => withLimit(limits, 'callsPerStep', -1)).toThrow('callsPerStep')
  })
})
