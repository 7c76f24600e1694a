import { type Fault, faultNamed, type PlacedFault } from '@holdfast/conformance'
import { readOverview } from '@holdfast/engine'
import { type BillStage, call, quiet, slowly, thought, whenReached, words } from './bill-stage.ts'

/** Something that happens in a conversation and is to be paid for. */
export interface BillAct {
  readonly name: string
  play(stage: BillStage): Promise<void>
}

const LONG_TOKENS = 340
const SOON_SECONDS = 0
const LATE_SECONDS = 600

/** A rate limit that asks to wait so long. */
function rateLimit(retryAfterSeconds: number): PlacedFault {
  const fault: Fault = {
    ...faultNamed('status-429-rate-limit-retry-after'),
    effect: { type: 'status', status: 429, meaning: 'rate-limit', retryAfterSeconds },
  }
  return { fault, place: 'before-first-event' }
}

/** Every kind of thing that a request may meet; a conversation plays them one after the other, again and again. */
export const BILL_ACTS: readonly BillAct[] = [
  { name: 'words', play: ({ act, tell }) => tell({ parts: [thought(act, 20), words(act, 60)] }) },
  {
    name: 'tools',
    play: ({ act, tell }) =>
      tell(
        { parts: [thought(act, 20), call('read_page', { page: act }), call('read_page', { page: act + 1 })] },
        { parts: [thought(act, 15), words(act, 20), call('read_page', { page: act + 2 })] },
        { parts: [thought(act, 15), words(act, 50)] },
      ),
  },
  {
    name: 'stop while connecting',
    play: ({ act, stopAt }) => stopAt({ type: 'request' }, { ...slowly(words(act, 20)), firstByteAfterMs: 120_000 }),
  },
  {
    name: 'stop in thinking',
    play: ({ act, stopAt }) =>
      stopAt({ type: 'block', of: 'thinking' }, slowly(thought(act, LONG_TOKENS), words(act, 20))),
  },
  {
    name: 'stop in text',
    play: ({ act, stopAt }) => stopAt({ type: 'block', of: 'text' }, slowly(thought(act, 10), words(act, LONG_TOKENS))),
  },
  {
    name: 'edit',
    async play({ act, metered, tell, command }) {
      const { head } = await metered.overview()
      await tell({ parts: [thought(act, 10), words(act, 30)] })
      metered.provider.script({ parts: [thought(act, 10), words(act + 1, 40)] })
      const content = [{ type: 'text' as const, text: `Line ${act}, said better.` }]
      await metered.engine.rewind({ ...command(), toSeq: head, reason: 'edit', content })
      await quiet(metered)
    },
  },
  {
    name: 'stop in the input of a call',
    play: ({ act, stopAt }) =>
      stopAt(
        { type: 'block', of: 'tool-call' },
        slowly(
          thought(act, 10),
          { type: 'tool-call', name: 'read_page', input: { page: act, why: 'row by row, '.repeat(60) } },
          words(act, LONG_TOKENS),
        ),
      ),
  },
  {
    name: 'stop while a tool runs',
    play: ({ act, stopAt }) =>
      stopAt(
        { type: 'entry', of: 'tool-call-started' },
        { parts: [thought(act, 10), call('watch_harbour', { row: act })] },
      ),
  },
  {
    name: 'sub-agent',
    play: ({ act, tell }) =>
      tell(
        { parts: [thought(act, 10), call('run_agent', { title: 'Count', task: 'Count the rows of the page.' })] },
        { parts: [thought(act, 10), call('read_page', { page: act })] },
        { parts: [thought(act, 10), words(act, 30)] },
        { parts: [thought(act, 10), words(act, 40)] },
      ),
  },
  {
    name: 'retry',
    async play({ act, metered, tell, command }) {
      const { head } = await metered.overview()
      await tell({ parts: [thought(act, 10), words(act, 30)] })
      metered.provider.script({ parts: [thought(act, 10), words(act + 2, 30)] })
      await metered.engine.rewind({ ...command(), toSeq: head, reason: 'retry' })
      await quiet(metered)
    },
  },
  {
    name: 'rate limit, twice, then an answer',
    play: ({ act, tell }) =>
      tell(
        { parts: [words(act, 10)], fault: rateLimit(SOON_SECONDS) },
        { parts: [words(act, 10)], fault: rateLimit(SOON_SECONDS) },
        { parts: [thought(act, 10), words(act, 30)] },
      ),
  },
  {
    name: 'stop in the wait for another try',
    play: ({ act, stopAt }) =>
      stopAt({ type: 'entry', of: 'step-failed' }, { parts: [words(act, 10)], fault: rateLimit(LATE_SECONDS) }),
  },
  {
    name: 'title asked for',
    async play({ metered, command }) {
      await metered.engine.makeTitle({ ...command() })
      await quiet(metered)
    },
  },
  {
    name: 'cut in the middle',
    play: ({ act, tell }) =>
      tell({
        parts: [thought(act, 20), words(act, 60)],
        fault: { fault: faultNamed('cut-between-events'), place: 'in-text' },
      }),
  },
  {
    name: 'error in the stream',
    play: ({ act, tell }) =>
      tell({
        parts: [thought(act, 20), words(act, 60)],
        fault: { fault: faultNamed('error-event'), place: 'in-text' },
      }),
  },
  {
    name: 'branch',
    async play({ act, metered, tell, command }) {
      const { head: before } = await metered.overview()
      await tell({ parts: [thought(act, 10), words(act, 30)] })
      const { head: one } = await metered.overview()
      metered.provider.script({ parts: [thought(act, 10), words(act + 3, 30)] })
      const content = [{ type: 'text' as const, text: `Line ${act}, on another branch.` }]
      await metered.engine.rewind({ ...command(), toSeq: before, reason: 'edit', content })
      await quiet(metered)
      await metered.engine.selectPath({ ...command(), headSeq: one })
      await tell({ parts: [thought(act, 10), words(act + 4, 30)] })
    },
  },
  {
    name: 'permission given',
    async play({ act, metered, tell, command }) {
      await tell(
        { parts: [thought(act, 10), call('publish', { page: act })] },
        { parts: [thought(act, 10), words(act, 30)] },
      )
      const { conversationId, store, engine } = metered
      const { pendingPermissions } = (await readOverview(store, conversationId)).state
      for (const { requestId } of pendingPermissions)
        await engine.answerPermission({ ...command(), requestId, decision: 'allow', scope: 'call' })
      await quiet(metered)
    },
  },
  {
    name: 'stop before a permission is given',
    async play({ act, tell, stop }) {
      await tell({ parts: [thought(act, 10), call('publish', { page: act })] })
      await stop()
    },
  },
  {
    name: 'stop of a title',
    async play({ act, metered, beside, stop, command }) {
      const { title } = beside
      beside.title = slowly(words(act, LONG_TOKENS))
      const moment = whenReached(metered, { type: 'answer' })
      await metered.engine.makeTitle({ ...command() })
      await moment
      await stop()
      beside.title = title
    },
  },
  {
    name: 'stop in a sub-agent',
    play: ({ act, stopAt }) =>
      stopAt(
        { type: 'block', of: 'text', inSubAgent: true },
        { parts: [thought(act, 10), call('run_agent', { title: 'Watch', task: 'Tell what you see.' })] },
        slowly(thought(act, 10), words(act, LONG_TOKENS)),
      ),
  },
  {
    name: 'usage is not told',
    play: ({ act, tell }) => tell({ parts: [thought(act, 10), words(act, 40)], usage: 'missing' }),
  },
  {
    name: 'refused key',
    play: ({ act, tell }) =>
      tell({ parts: [words(act, 10)], fault: { fault: faultNamed('status-401-auth'), place: 'before-first-event' } }),
  },
]

/** A checkpoint by hand. */
export const CHECKPOINT: BillAct = {
  name: 'checkpoint',
  async play({ metered, command }) {
    await metered.engine.makeCheckpoint({ ...command(), focus: null })
    await quiet(metered)
  },
}

/** A checkpoint by hand that is stopped while its summary comes. */
export const STOPPED_CHECKPOINT: BillAct = {
  name: 'stop of a summary',
  async play({ act, metered, beside, stop, command }) {
    const { summary } = beside
    beside.summary = slowly(words(act, LONG_TOKENS))
    const moment = whenReached(metered, { type: 'block', of: 'text' })
    await metered.engine.makeCheckpoint({ ...command(), focus: null })
    await moment
    await stop()
    beside.summary = summary
  },
}
