import { createTimeFact } from '@holdfast/engine'
import type { WireFormat } from '../states/wire-formats.ts'
import { BILL_ACTS, type BillAct, CHECKPOINT, STOPPED_CHECKPOINT } from './bill-acts.ts'
import { BILL_TOOLS, createStage, words } from './bill-stage.ts'
import { type BilledConversation, readBill, type Telling } from './compare-bill.ts'
import { openMetered, otherModelOf, PERSON } from './metered-engine.ts'

const WINDOW_TOKENS = 190_000
const MAX_OUTPUT_TOKENS = 8_000
const BETWEEN_ACTS_MS = 2 * 60_000
const CHECKPOINTS = 3

/**
 * Holds a conversation of so many acts, each a turn or more, with three checkpoints, one that is stopped, and a change
 * of the model in its middle; then reads what both sides have counted.
 */
export async function holdBilledConversation(format: WireFormat, actCount: number): Promise<BilledConversation> {
  const metered = await openMetered({
    format,
    windowTokens: WINDOW_TOKENS,
    maxOutputTokens: MAX_OUTPUT_TOKENS,
    settings: { instructions: 'You keep the ledgers of a harbour.', parameters: { thinkingBudgetTokens: 2_048 } },
    tools: BILL_TOOLS,
    allowedTools: ['read_page', 'watch_harbour'],
    facts: [createTimeFact({ timeZone: 'UTC' })],
    autoTitles: true,
  })
  const { provider, engine, clock, conversationId } = metered
  const beside = { title: { parts: [words(1, 5)] }, summary: { parts: [words(2, 200)] } }
  provider.when(
    ({ body }) => endOf(body).includes('<title-request>'),
    () => beside.title,
  )
  provider.when(
    ({ body }) => endOf(body).includes('<summary-request>'),
    () => beside.summary,
  )
  const names: string[] = []
  try {
    for (const [act, played] of actsOf(actCount).entries()) {
      names.push(played.name)
      if (act === Math.floor(actCount / 2)) {
        const changes = { modelId: otherModelOf(format) }
        await engine.changeSettings({ commandId: metered.nextCommand(), actor: PERSON, conversationId, changes })
      }
      try {
        await played.play(createStage(metered, act, beside))
      } catch (cause) {
        throw new Error(`Act ${act}, ${played.name}, with ${format.title} went wrong`, { cause })
      }
      clock.putForward(BETWEEN_ACTS_MS)
    }
    return await readBill(metered, { title: format.title, acts: names, telling: tellingOf(format) })
  } finally {
    await metered.close()
  }
}

/** The acts in turn, with the checkpoints at even distances and the one that is stopped before the last of them. */
function actsOf(actCount: number): readonly BillAct[] {
  const acts: BillAct[] = []
  for (let act = 0; act < actCount; act++) {
    const part = Math.floor(actCount / (CHECKPOINTS + 1))
    const number = act % part === part - 1 ? (act + 1) / part : 0
    if (number === CHECKPOINTS) acts.push(STOPPED_CHECKPOINT)
    if (number >= 1 && number <= CHECKPOINTS) acts.push(CHECKPOINT)
    const played = BILL_ACTS[act % BILL_ACTS.length]
    if (played) acts.push(played)
  }
  return acts
}

/** Messages and Gemini begin with the figures of the prompt; Claude says nothing of how much it thought. */
function tellingOf({ name }: WireFormat): Telling {
  return {
    inputEarly: name === 'anthropic' || name === 'bedrock-claude' || name === 'gemini',
    thinking: name === 'openai-chat' || name === 'openai-responses' || name === 'gemini',
  }
}

function endOf(body: unknown): string {
  return JSON.stringify(body).slice(-20_000)
}
