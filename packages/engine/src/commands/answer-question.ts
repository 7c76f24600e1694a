import { answerProblems, type Entry, type NewEntry, type Overview, type PendingQuestion } from '@holdfast/conversation'
import type { Answered } from '../api/answered.ts'
import type { EnginePorts } from '../api/ports.ts'
import type { AnswerQuestion } from '../api/question-answer.ts'
import { answerRefused, unknownQuestion } from '../api/refused-command-error.ts'
import { hasEntry } from '../log/has-entry.ts'
import type { LiveLog } from '../log/live-log.ts'
import { carryOutPrepared } from './carry-out.ts'

/**
 * Writes down a person's answer. The first one wins; an answer to a settled question changes nothing and says so. One to
 * a question that nobody asked this person is refused. [TOOL11, PERM13]
 *
 * @throws {RefusedCommandError}
 */
export async function answerQuestion(ports: EnginePorts, log: LiveLog, command: AnswerQuestion): Promise<Answered> {
  const { questionId, action, actor, commandId } = command
  const content = command.content ?? {}
  const asked = ['answer-question', questionId, action, content]
  const decide = (state: Overview): NewEntry[] => {
    const question = questionIn(state, command)
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
  }
  const { entries } = await carryOutPrepared(ports, log, { command, asked }, async () => {
    const isOpen = questionIn(log.overview(), command) !== undefined
    const wasAsked = isOpen || (await hasEntry(ports, log.conversationId, (entry) => isQuestion(entry, command)))
    if (!wasAsked) throw unknownQuestion(questionId)
    return decide
  })
  return { accepted: entries.length > 0 }
}

function questionIn({ pendingQuestions }: Overview, { questionId }: AnswerQuestion): PendingQuestion | undefined {
  return pendingQuestions.find((pending) => pending.questionId === questionId)
}

/** Whether it asked the person who answers. */
function isQuestion(entry: Entry, { questionId, actor }: AnswerQuestion): boolean {
  if (entry.type !== 'question-asked' || entry.questionId !== questionId) return false
  return actor.type === 'person' && actor.userId === entry.userId
}
