import type { TranscriptItem } from '@holdfast/conversation'
import { costOf, costText } from '../shared/cost-words.ts'
import { shortCount, timeOfDay } from '../shared/format.ts'
import { Icon, type IconName } from '../shared/icons.tsx'
import { say } from '../shared/language/say.ts'
import { stateWord } from '../shared/state-word.ts'
import { failureWords } from './answer/failure-words.ts'
import { wordsOf } from './thread-parts.ts'

/** A request that answers nothing, in one line: what it was for, and what it cost. Never sent to the model. */
export function AsideLine({ item }: { readonly item: TranscriptItem }) {
  const { usage } = item
  const figures = usage
    ? [
        `${shortCount(usage.inputTokens + usage.cacheReadTokens)}→${shortCount(usage.outputTokens)}`,
        costText(costOf([usage])),
      ]
    : []
  return (
    <p className="line-entry aside" data-testid="system-entry" data-role={item.role}>
      <Icon name={ICONS[item.role]} />
      <span dir="auto">
        {timeOfDay(item.at)} · <span className="aside-words">{asideWords(item)}</span>
        {figures.map((figure) => ` · ${figure}`)}
      </span>
    </p>
  )
}

/** Titles, the requests for them and those for summaries are told apart before they are read. */
const ICONS: Readonly<Record<TranscriptItem['role'], IconName>> = {
  title: 'pencil',
  'title-request': 'enter',
  'summary-request': 'sheet',
  summary: 'sheet',
  error: 'close',
  user: 'right',
  assistant: 'right',
  accounting: 'archive',
  notice: 'right',
}

function asideWords(item: TranscriptItem): string {
  const words = wordsOf(item.parts)
  if (item.role === 'title')
    return say(item.state !== 'erased' && item.source === 'user' ? 'message.named-by-you' : 'message.titled', {
      title: item.state === 'erased' ? stateWord('erased') : words,
    })
  if (item.role === 'error') {
    const problem = item.state === 'erased' ? stateWord('erased') : failureWords(item.code).title
    return say('message.request-failed', { problem })
  }
  const name = item.role === 'title-request' ? say('message.request-for-a-title') : say('message.request-for-a-summary')
  return item.state === 'complete' ? name : [name, stateWord(item.state)].join(', ')
}
