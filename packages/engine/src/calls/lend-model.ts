import { ratioOf, textTokens } from '@holdfast/context'
import type { EntryOf, Overview } from '@holdfast/conversation'
import type { ModelRequest } from '@holdfast/provider'
import type { LentAnswer, LoanRequest, ToolAnswer, ToolQuestion } from '@holdfast/tool'
import type { ModelChoice } from '../api/ports.ts'
import { modelBeside } from '../chosen/chosen-model.ts'
import { cutBy } from '../live/end-run.ts'
import { type RunAtWork, unseen } from '../live/run-at-work.ts'
import { type ExpectedPrice, judgeBudgets } from '../request/budget.ts'
import { lentRequest, lentWords } from '../request/lent-request.ts'
import { priceAlone } from '../request/price-beside.ts'
import { requestProblem } from '../request/request-problem.ts'
import { startStep } from '../request/start-step.ts'
import { type StepResult, takeStep } from '../request/take-step.ts'
import { billedTo, usageRecord } from '../request/usage.ts'

/** The longest answer that is lent, in tokens, whatever is wished for. */
const MOST_ANSWER_TOKENS = 4_096

/** So many characters of a wish can be shown, and so can be asked for: a person agrees to all that is sent. */
const MOST_SHOWN_CHARS = 3_500

/** A wish of a running call, and how its person is asked. */
export interface Lending {
  readonly wish: LoanRequest
  /** Asks whether the model may be lent, and says by which question; null where nobody was asked. */
  readonly ask: (
    question: ToolQuestion & Pick<EntryOf<'question-asked'>, 'lends'>,
    options: { readonly signal: AbortSignal },
  ) => Promise<{ readonly questionId: string | null; readonly answer: ToolAnswer }>
  /** Fires when the call is over, or its asker has left. */
  readonly signal: AbortSignal
}

/**
 * Lets what a running call speaks to ask the conversation's model, once the owner of the conversation has seen the
 * words and agreed. The request is none of the conversation: it holds nothing of it, calls nothing, and is shown
 * nowhere else. Its cost counts here, and within the budgets. [TOOL13, COST1, COST7]
 */
export async function lendModel(atWork: RunAtWork, { wish, ask, signal }: Lending): Promise<LentAnswer> {
  const { ports, log } = atWork
  const chosen = modelBeside(ports.models(), log.overview())
  if (chosen.type === 'missing') return refused(chosen.reason)
  const { choice } = chosen
  const lends = lentWords(wish)
  const maxOutputTokens = Math.min(wish.maxOutputTokens, MOST_ANSWER_TOKENS)
  const request = lentRequest(lends, { modelId: choice.providerModelId, maxOutputTokens })
  const problem = requestProblem(request)
  if (problem !== null) return refused(`It cannot be sent: ${problem}`)
  const words = shownWords(wish)
  if (words.length > MOST_SHOWN_CHARS)
    return refused(`It has ${words.length} characters, and a person is shown ${MOST_SHOWN_CHARS} to agree to`)
  const ratio = ratioOf(log.requestState().ratios, billedTo(choice), ports.estimator)
  const estimatedInputTokens = textTokens(words, ratio)
  const most = { promptTokens: estimatedInputTokens, mostAnswerTokens: maxOutputTokens }
  const price = priceAlone(choice, most)
  const message = `${introduction(wish, choice, price)}\n\n${words}`
  const question: Parameters<Lending['ask']>[0] = {
    source: wish.source,
    message,
    wish: { type: 'form', fields: [] },
    lends,
  }
  const { questionId, answer } = await ask(question, { signal })
  if (answer.type === 'declined') return refused('The person declined')
  if (answer.type === 'cancelled') return refused(answer.reason)
  if (questionId === null) throw new Error('A question that was answered has no id')
  const over = await judgeBudgets(atWork, price)
  if (over !== null) return refused(over.reason ?? 'A budget does not reach')
  const result = await askOnce(atWork, { choice, request, questionId, ratio, estimatedInputTokens, signal })
  if (result === null) return refused('The run was stopped')
  if (result.error) return refused(result.error.message)
  if (result.finish === null) return refused('The answer was broken off')
  const text = result.blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('')
  return { type: 'answered', text, modelId: choice.modelId, isCut: result.finish === 'length' }
}

interface LentRequest {
  readonly choice: ModelChoice
  readonly request: ModelRequest
  /** By which its owner agreed to its words. */
  readonly questionId: string
  readonly ratio: number
  readonly estimatedInputTokens: number
  readonly signal: AbortSignal
}

/**
 * One request and its record, whatever becomes of it: that it is made stands in the log before it is, so that no kill hides
 * its cost. Nothing of the answer is a draft of the conversation. [COST9]
 *
 * @returns null where a stop came first.
 */
async function askOnce(atWork: RunAtWork, lent: LentRequest): Promise<StepResult | null> {
  const { log, runId, epoch } = atWork
  const { choice, request, questionId, ratio, estimatedInputTokens } = lent
  const signal = AbortSignal.any([atWork.signal, lent.signal])
  const beside = { type: 'lent', questionId } as const
  const receipt = { model: choice, request, estimatedInputTokens, anchors: [], windowStartSeq: 1, notes: [], beside }
  const step = await startStep(atWork, 'sampling', receipt)
  if (step === null) return null
  const { stepId } = step
  const address = { conversationId: log.conversationId, runId, ...step, epoch }
  const result = await takeStep({ ...unseen(atWork), signal }, { model: choice, request, address })
  const { blocks, finish, usage, cause } = result
  const outcomeOf = (state: Overview) => {
    if (atWork.signal.aborted) return cutBy(atWork, state)
    // Whoever wished for it has left.
    if (signal.aborted) return 'stopped'
    return finish === null ? 'failed' : 'completed'
  }
  await log.append({ epoch, command: null, dropDraft: null }, (state) => [
    usageRecord({
      runId,
      stepId,
      purpose: 'sampling',
      billed: billedTo(choice),
      estimatedInputTokens,
      blocks,
      ratio,
      usage,
      cacheBreak: null,
      ended: finish !== null,
      cause,
      outcome: outcomeOf(state),
    }),
  ])
  return result
}

/** All words of a wish, each message under its role. */
function shownWords({ system, messages }: LoanRequest): string {
  const all = [...(system === '' ? [] : [{ role: 'system', text: system }]), ...messages]
  return all.map(({ role, text }) => `${role}:\n${text}`).join('\n\n')
}

function introduction({ source }: LoanRequest, { name }: ModelChoice, { usd, promptUsd }: ExpectedPrice): string {
  const most = usd?.high ?? promptUsd
  const cost = most === null ? 'at a price that is not known' : `for at most about $${most.toFixed(4)}`
  return `${source} wants the model ${name} to answer this for it, ${cost}. It gets the answer, and nothing of this conversation.`
}

function refused(reason: string): LentAnswer {
  return { type: 'refused', reason }
}
