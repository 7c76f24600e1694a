import type { Thinking } from '@holdfast/conversation'
import type { ModelRow } from '@holdfast/protocol'
import { usdText } from '../../shared/cost-words.ts'
import { shortCount, wholeCount } from '../../shared/format.ts'
import { type PlainKey, say } from '../../shared/language/say.ts'
import { Picker } from '../../shared/picker.tsx'

const LEVELS: readonly {
  readonly level: Exclude<Thinking, number>
  readonly name: PlainKey
  readonly tokens: number
}[] = [
  { level: 'off', name: 'limits.thinking-off', tokens: 0 },
  { level: 'low', name: 'limits.thinking-low', tokens: 2_048 },
  { level: 'medium', name: 'limits.thinking-medium', tokens: 8_192 },
  { level: 'high', name: 'limits.thinking-high', tokens: 24_576 },
]

interface ThinkingPickerProps {
  /** What is set here or by the agent; null where neither says anything. */
  readonly thinking: Thinking | null
  /** Null where the model is not there. */
  readonly model: ModelRow | null
  readonly onChoose: (thinking: Thinking | null) => void
}

/** How much the model thinks before it answers, and what that costs at most. It says for which models it holds. */
export function ThinkingPicker({ thinking, model, onChoose }: ThinkingPickerProps) {
  const canThink = model?.capabilities.thinking ?? null
  if (canThink === false)
    return (
      <span className="meta" data-testid="thinking-picker" data-state="not" title={say('limits.thinking-not')}>
        {say('limits.thinking-off')}
      </span>
    )
  return (
    <Picker
      testId="thinking-picker"
      state={String(thinking ?? 'inherit')}
      name={say('limits.thinking')}
      words={wordsOf(thinking)}
      isName={false}
      title={titleOf(thinking, model)}
      value={String(thinking ?? 'inherit')}
      onChoose={(value) => onChoose(LEVELS.find(({ level }) => level === value)?.level ?? null)}
    >
      <option value="inherit">{say('limits.thinking-as-set')}</option>
      {LEVELS.map(({ level, name, tokens }) => (
        <option key={level} value={level}>
          {tokens === 0 ? say(name) : say('limits.thinking-line', { level: say(name), cost: costOf(tokens, model) })}
        </option>
      ))}
      {typeof thinking === 'number' && <option value={thinking}>{wordsOf(thinking)}</option>}
    </Picker>
  )
}

function wordsOf(thinking: Thinking | null): string {
  if (typeof thinking === 'number') return say('limits.thinking-tokens', { tokens: wholeCount(thinking) })
  return say(LEVELS.find(({ level }) => level === thinking)?.name ?? 'limits.thinking')
}

function titleOf(thinking: Thinking | null, model: ModelRow | null): string {
  const tokens = typeof thinking === 'number' ? thinking : (LEVELS.find(({ level }) => level === thinking)?.tokens ?? 0)
  const cost = tokens === 0 ? [] : [costOf(tokens, model)]
  const known = model?.capabilities.thinking === true ? [] : [say('limits.thinking-unknown')]
  return [...cost, ...known].join(' ')
}

/** The most that it may cost in one step: it is paid as output. */
function costOf(tokens: number, model: ModelRow | null): string {
  const price = model?.price?.output?.usdPerMillion
  if (price === undefined) return say('limits.thinking-unpriced', { tokens: shortCount(tokens) })
  return say('limits.thinking-cost', { tokens: shortCount(tokens), cost: usdText((tokens * price) / 1_000_000) })
}
