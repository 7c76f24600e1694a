import type { ToolAnswer, ToolContext, ToolQuestion } from '@holdfast/tool'
import { describe, expect, it } from 'vitest'
import { type AgentsSchedules, createScheduleTool, type ScheduleProposal } from '../src/schedule-tool.ts'

const INPUT = { name: 'Bells', ask: 'Ring the bells', when: '0 9 * * *' }

/** A person who answers so, one question after the other. */
function world(answers: readonly ToolAnswer[]) {
  const made: ScheduleProposal[] = []
  const questions: ToolQuestion[] = []
  const left = [...answers]
  const isBad = ({ when }: ScheduleProposal) => when.includes('never')
  const schedules: AgentsSchedules = {
    next: (proposal) => ({ isRefused: isBad(proposal), words: isBad(proposal) ? 'It never happens' : 'Next: at nine' }),
    about: () => ({ shown: [], restCount: 0 }),
    async make(_ownerId, proposal) {
      if (isBad(proposal)) return { isRefused: true, words: 'It never happens' }
      made.push(proposal)
      return { isRefused: false, words: '"Bells" is scheduled.' }
    },
  }
  const tool = createScheduleTool(() => schedules, { ownerId: 'user_1', timeZone: 'Europe/Berlin' })
  const person = {
    place: 'here',
    async ask(question: ToolQuestion): Promise<ToolAnswer> {
      questions.push(question)
      return left.shift() ?? { type: 'cancelled', reason: 'Nobody answers' }
    },
  }
  async function propose(input: object, { isAlone = false } = {}) {
    const checked = tool.check({ ...INPUT, ...input })
    if (checked.type !== 'valid') return { text: 'not valid', isError: true }
    const context: ToolContext = {
      callId: 'call_1',
      signal: new AbortController().signal,
      timeoutMs: 1_000,
      progress: () => {},
      report: () => {},
      suspend: () => () => {},
      ...(isAlone ? {} : { person }),
    }
    return tool.run(checked.input, context)
  }
  return { propose, made, questions }
}

describe('a schedule that an agent proposes', () => {
  it('[SCHED17] is made when the person confirms it, as it stands there', async () => {
    const { propose, made, questions } = world([{ type: 'accepted', content: { name: 'Bells', when: '0 9 * * *' } }])
    expect(await propose({})).toMatchObject({ isError: false, text: expect.stringContaining('confirmed') })
    expect(questions).toMatchObject([{ message: 'Next: at nine' }])
    expect(made).toEqual([{ name: 'Bells', text: 'Ring the bells', when: '0 9 * * *', timeZone: 'Europe/Berlin' }])
  })

  it('[SCHED17] is made as the person changed it, and asked about again where that cannot be kept', async () => {
    const { propose, made, questions } = world([
      { type: 'accepted', content: { when: 'never' } },
      { type: 'accepted', content: { when: '0 10 * * *', ask: 'Ring one bell' } },
    ])
    expect(await propose({})).toMatchObject({ isError: false })
    expect(questions.map(({ message }) => message)).toEqual(['Next: at nine', 'It never happens'])
    expect(made).toMatchObject([{ when: '0 10 * * *', text: 'Ring one bell' }])
  })

  it('[SCHED17] is not made when it is declined, closed, or nobody is there, and the model is told', async () => {
    const declined = world([{ type: 'declined' }])
    expect(await declined.propose({})).toMatchObject({ text: 'The person declined it: nothing is scheduled.' })
    const closed = world([])
    expect(await closed.propose({})).toMatchObject({ isError: true, text: 'Nobody answers: nothing is scheduled.' })
    const alone = world([{ type: 'accepted', content: {} }])
    expect(await alone.propose({}, { isAlone: true })).toMatchObject({ isError: true })
    expect([...declined.made, ...closed.made, ...alone.made]).toEqual([])
  })

  it('[SCHED17] is not asked about where it can never be kept', async () => {
    const { propose, made, questions } = world([{ type: 'accepted', content: {} }])
    expect(await propose({ when: 'never' })).toMatchObject({ isError: true, text: 'It never happens' })
    expect({ made, questions }).toEqual({ made: [], questions: [] })
  })
})
