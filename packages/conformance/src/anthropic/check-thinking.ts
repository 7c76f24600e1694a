import type { CheckState } from '../check-state.ts'
import { isRecord, type JsonRecord, textOf } from '../json.ts'
import type { Refusal } from '../violation.ts'
import { bindingAfter, bindingStart, REDACTED, signatureOf } from './binding.ts'
import { type Block, isThinking, type Message, messagesOf } from './blocks.ts'
import { refuse } from './refuse.ts'

const BOUND_ELSEWHERE = 'Invalid signature in thinking block. The block is bound to a different conversation'
const DROPS = 'thinking-binding-controls-2026-08-01'

/** What stands before a thinking block. */
interface Before {
  readonly prefix: string
  /** Signature of the last thinking that is still in the request; undefined where this is the first. */
  readonly previous: string | undefined
  readonly isFirstInMessage: boolean
  readonly isInLatestAnswer: boolean
}

/** Thinking is signed by this provider, unaltered, in its order and, where the model binds, in its own conversation. */
export function checkThinking(body: JsonRecord, state: CheckState): readonly Refusal[] {
  const messages = messagesOf(body)
  const latest = messages.findLast(({ role }) => role === 'assistant')
  const found: Refusal[] = []
  let prefix = bindingStart(body)
  let previous: string | undefined
  for (const message of messages) {
    let isFirstInMessage = true
    for (const block of message.blocks) {
      if (isThinking(block)) {
        const before = { prefix, previous, isFirstInMessage, isInLatestAnswer: message === latest }
        found.push(...checkBlock({ block, before, state, dropsUnbound: dropsUnbound(body, state) }))
        previous = signatureOf(block)
        isFirstInMessage = false
      }
      prefix = bindingAfter(prefix, message.role, block)
    }
  }
  return [...found, ...messages.flatMap(checkNotLast), ...checkThinkingFirst(body, messages, state)]
}

/** An answer that was cut after its thinking holds nothing that the thinking led to. */
function checkNotLast({ index, role, blocks }: Message): readonly Refusal[] {
  const last = blocks.at(-1)
  if (role !== 'assistant' || last === undefined || !isThinking(last)) return []
  const message = `messages.${index}: The final block in an assistant message cannot be \`thinking\`.`
  return [refuse('A4', last.path, message)]
}

/** A client may ask that thinking which is bound elsewhere is dropped instead of refused. */
function dropsUnbound(body: JsonRecord, { betas }: CheckState): boolean {
  const thinking = body.thinking
  const binding = isRecord(thinking) ? thinking.block_binding : undefined
  return isRecord(binding) && binding.prefix_mismatch_behavior === 'drop_block' && betas.includes(DROPS)
}

function checkBlock({
  block,
  before,
  state,
  dropsUnbound: drops,
}: {
  readonly block: Block
  readonly before: Before
  readonly state: CheckState
  readonly dropsUnbound: boolean
}): readonly Refusal[] {
  const { path, type, value } = block
  const { model, signer } = state
  const signature = signatureOf(block)
  if (signature === '') {
    const field = type === 'thinking' ? 'signature' : 'data'
    return [refuse('A4', path, `${path}.${type}.${field}: Field required`)]
  }
  const opened = signer.open(signature)
  const invalid = refuse('A4', path, `${path}: Invalid \`signature\` in \`${type}\` block`)
  if (opened === undefined) return [invalid]
  if (opened.family !== model.family && !model.readsThinkingOf.includes(opened.family)) return [invalid]
  const content = type === 'thinking' ? textOf(value.thinking) : REDACTED
  const isOutOfOrder = !before.isFirstInMessage && before.previous !== undefined && !opened.follows(before.previous)
  if (!opened.covers(content) || (isOutOfOrder && model.thinking !== 'bound')) {
    return [before.isInLatestAnswer ? refuse('A4', path, `${path}: ${MODIFIED}`) : invalid]
  }
  // Thinking of an older family is not bound, whoever reads it now.
  if (model.thinking !== 'bound' || opened.isBoundTo('') || drops) return []
  const isChained = before.previous === undefined || opened.follows(before.previous)
  return opened.isBoundTo(before.prefix) && isChained ? [] : [refuse('A5', path, BOUND_ELSEWHERE)]
}

const MODIFIED =
  '`thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. ' +
  'These blocks must remain as they were in the original response.'

/** Where thinking is switched on by a budget, the last answer with open calls begins with it. */
function checkThinkingFirst(body: JsonRecord, messages: readonly Message[], { model }: CheckState): readonly Refusal[] {
  const thinking = body.thinking
  if (!isRecord(thinking) || thinking.type !== 'enabled' || model.thinking !== 'signed') return []
  const last = messages.findLastIndex(({ role }) => role === 'assistant')
  const message = messages[last]
  const first = message?.blocks[0]
  const isInLoop = messages.slice(last + 1).some(({ blocks }) => blocks[0]?.type === 'tool_result')
  if (message === undefined || first === undefined || isThinking(first) || !isInLoop) return []
  const words =
    `Expected \`thinking\` or \`redacted_thinking\`, but found \`${first.type}\`. When \`thinking\` is enabled, ` +
    'a final `assistant` message must start with a thinking block (preceeding the lastmost set of `tool_use` and `tool_result` blocks).'
  return [refuse('A4', first.path, `${first.path}.type: ${words}`)]
}
