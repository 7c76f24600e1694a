import type { LentAnswer, LoanRequest, PersonAtHand, ToolAnswer, ToolContext, ToolQuestion } from '@holdfast/tool'
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/client'
import { type ElicitParameters, readQuestion } from './elicit.ts'
import { readLoan, type SamplingParameters } from './sample.ts'
import type { ServerLog } from './server-log.ts'

/** The calls that a server runs now. */
export interface RunningCalls {
  count(): number
  /** Runs one, known while it runs. */
  during<Result>(context: ToolContext, run: () => Promise<Result>): Promise<Result>
  /** A question of the server for whoever made the call. @throws {ProtocolError} for one that cannot be asked. */
  elicit(asked: ElicitParameters, signal: AbortSignal): Promise<ToolAnswer>
  /** A wish of the server for the model of whoever made the call. @throws {ProtocolError} for one that cannot be granted. */
  sample(asked: SamplingParameters, signal: AbortSignal): Promise<LentAnswer>
}

/** No call runs yet. */
export function createRunningCalls({
  server,
  log,
}: {
  readonly server: string
  readonly log: ServerLog
}): RunningCalls {
  const running = new Set<ToolContext>()

  /** Whom the server may ask: a server does not say for which call it asks, so all of them must lead to one person. */
  function callToAsk(): { readonly context: ToolContext; readonly person: PersonAtHand } | string {
    if (running.size === 0) return 'none of its calls ran'
    const context = [...running].at(-1)
    const places = new Set([...running].map(({ person }) => person?.place))
    if (places.size > 1) return 'calls of several conversations ran, and it does not say which one it is about'
    return context?.person ? { context, person: context.person } : 'nobody is there to be asked'
  }

  async function ask(question: ToolQuestion, signal: AbortSignal): Promise<ToolAnswer> {
    const asks = callToAsk()
    if (typeof asks === 'string') {
      log.add('connection', `It asked a question, and ${asks}`)
      return { type: 'cancelled', reason: asks }
    }
    const { context, person } = asks
    const answer = await person.ask(question, { signal: AbortSignal.any([signal, context.signal]) })
    if (answer.type === 'cancelled') log.add('connection', `Its question was not answered. ${answer.reason}`)
    return answer
  }

  async function lend(wish: LoanRequest, signal: AbortSignal): Promise<LentAnswer> {
    const asks = callToAsk()
    if (typeof asks === 'string') return { type: 'refused', reason: asks }
    const { context, person } = asks
    if (!person.lendModel) return { type: 'refused', reason: 'There is no model here that could be lent' }
    return person.lendModel(wish, { signal: AbortSignal.any([signal, context.signal]) })
  }

  return {
    count: () => running.size,
    async during(context, run) {
      running.add(context)
      try {
        return await run()
      } finally {
        running.delete(context)
      }
    },
    async elicit(asked, signal) {
      const read = readQuestion(server, asked)
      if (read.type === 'question') return ask(read.question, signal)
      log.add('connection', `It asked a question that is not put before anybody. ${read.reason}`)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, read.reason)
    },
    async sample(asked, signal) {
      const read = readLoan(server, asked)
      if (read.type === 'refused') {
        log.add('connection', `It asked for the model, and nobody is asked about it. ${read.reason}`)
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, read.reason)
      }
      const answer = await lend(read.wish, signal)
      log.add(
        'connection',
        answer.type === 'answered' ? 'It was lent the model once' : `It was not lent the model. ${answer.reason}`,
      )
      return answer
    },
  }
}
