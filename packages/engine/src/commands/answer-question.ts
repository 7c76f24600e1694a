import { answerProblems, type NewEntry } from '@holdfast/conversation'
import type { Answered } from '../api/answered.ts'
import type { EnginePorts } from '../api/ports.ts'
import type { AnswerQuestion } from '../api/question-answer.ts'
import { answerRefused, unknownQuestion } from '../api/refused-command-error.ts'
import type { LiveLog } from '../log/live-log.ts'
import { carryOut } from './carry-out.ts'

/**
 * Writes down a person's answer. The first one wins; an answer to a settled question changes nothing and says so. [TOOL11]
 *
 * @throws {RefusedCommandError}
 */
export async function answerQuestion(ports: EnginePorts, log: LiveLog, command: AnswerQuestion): Promise<Answered> {
  const { questionId, action, actor, commandId } = command
  const content = command.content ?? {}
  const asked = ['answer-question', questionId, action, content]
  const { entries } = await carryOut(ports, log, { command, asked }, ({ pendingQuestions }): NewEntry[] => {
    const question = pendingQuestions.find((pending) => pending.questionId === questionId)
    if (!question) return []
    if (actor.type !== 'person' || actor.userId !== question.userId) throw unknownQuestion(questionId)
    const settled = { type: 'question-settled', actor, commandId, questionId, by: 'person' } as const
    switch (action) {
      case 'accept': {
        const fields = question.wish.type === 'form' ? question.wish.fields : []
        const problems = answerProblems(fields, content)
        if (problems.length > 0) throw answerRefused(questionId, problems)
        return [{ ...settled, outcome: 'accepted', ...(question.wish.type === 'form' ? { content } : {}) }]
      }
      case 'decline':
        return [{ ...settled, outcome: 'declined' }]
      case 'cancel':
        return [{ ...settled, outcome: 'cancelled' }]
    }
  })
  return { accepted: entries.length > 0 }
}
