import { createManualClock } from '@holdfast/engine/testing'
import { describe, expect, it } from 'vitest'
import { houseTool } from '../src/agent-tools.ts'
import { createHouseCalls, type HouseCall } from '../src/house-calls.ts'

const { signal } = new AbortController()
const CARD = { name: 'canvas_add_card', input: { title: 'A' }, signal }

function calls(limitMs: number | null) {
  const clock = createManualClock()
  return { clock, house: createHouseCalls({ clock, limitMs, changed() {} }) }
}

describe('calls of house tools', () => {
  it('[AGENT43] are told before an agent gives them up that nobody answered, where no step has them', async () => {
    const { clock, house } = calls(1_000)
    const calling = house.call(CARD)
    await clock.advance(999)
    expect(house.hasWaiting()).toBe(true)
    await clock.advance(1)
    expect(await calling).toMatchObject({ isError: true, text: expect.stringContaining('Nobody answered in time') })
    expect(house.hasWaiting()).toBe(false)
    expect(clock.waitingCount()).toBe(0)
  })

  it('[AGENT43] have the question of a person taken back in time, and are answered with what that settles', async () => {
    const { clock, house } = calls(1_000)
    const calling = house.call(CARD)
    const [call] = house.takeWaiting()
    if (call === undefined) throw new Error('Nothing was called')
    let withdrawn = 0
    call.openCallId = 'call_1'
    call.withdraw = () => {
      withdrawn += 1
    }
    await clock.advance(1_000)
    expect(withdrawn).toBe(1)
    house.answer('call_1', { text: 'Denied.', isError: true })
    expect(await calling).toEqual({ text: 'Denied.', isError: true })
  })

  it('[AGENT43] have the question taken back where the agent has ended its answer and waits for none', async () => {
    const { house } = calls(null)
    const calling = house.call(CARD)
    const [call] = house.takeWaiting()
    if (call === undefined) throw new Error('Nothing was called')
    let withdrawn = 0
    call.openCallId = 'call_1'
    call.withdraw = () => {
      withdrawn += 1
    }
    house.giveUp()
    house.end('The reply has ended.')
    expect(withdrawn).toBe(1)
    expect(await calling).toMatchObject({ isError: true })
  })

  it('[AGENT42] stand each for one that the agent tells of, by input where it tells that', async () => {
    const { house } = calls(null)
    void house.call(CARD)
    void house.call({ ...CARD, input: { title: 'B' } })
    expect(house.takeTold('canvas_add_card', { title: 'C' })).toBe(false)
    expect(house.takeTold('memory_save', null)).toBe(false)
    expect(house.takeTold('canvas_add_card', { title: 'B' })).toBe(true)
    expect(house.takeTold('canvas_add_card', null)).toBe(true)
    expect(house.takeTold('canvas_add_card', null)).toBe(false)
  })

  it('[AGENT43] do not run once they are given up', async () => {
    let ran = 0
    const call: HouseCall = { ...CARD, openCallId: 'call_1', isGivenUp: true, withdraw: null }
    const definition = { name: 'canvas_add_card', description: '', parameters: {}, category: 'other' } as const
    const tool = {
      definition,
      check: () => ({ type: 'valid', input: {} }) as const,
      run: () => {
        ran += 1
      },
    }
    const context = { callId: 'call_1', signal, timeoutMs: 1, progress() {}, report() {}, suspend: () => () => {} }
    const held = houseTool(tool, { agentName: 'Fake', partOf: () => ({ type: 'house-call', call }) })
    expect(await held.run({}, context)).toMatchObject({ isError: true })
    expect(ran).toBe(0)
    call.isGivenUp = false
    await held.run({}, context)
    expect(ran).toBe(1)
  })
})
