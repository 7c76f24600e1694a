import type { TranscriptItem } from '@holdfast/conversation'
import { wholeCount } from './format.ts'
import { wordsOf } from './thread-parts.ts'

/** Something between turns, in one line: a notice, an accounting line, a checkpoint, the window's edge. */
export function LineEntry({ item }: { readonly item: TranscriptItem }) {
  const isWindowLine = item.detail['code'] === 'window-moved'
  return (
    <p
      className="line-entry"
      data-testid={testIdOf(item)}
      data-severity={textDetail(item, 'severity')}
      role={isWindowLine ? 'separator' : undefined}
    >
      <span>{lineWords(item)}</span>
    </p>
  )
}

function testIdOf({ role, detail }: TranscriptItem): string {
  if (role === 'summary') return 'checkpoint-card'
  if (role === 'accounting') return 'accounting-line'
  return detail['code'] === 'window-moved' ? 'memory-window-line' : 'notice'
}

function lineWords(item: TranscriptItem): string {
  if (item.state === 'erased') return 'Erased'
  if (item.role === 'accounting') return accountingWords(item)
  switch (item.detail['code']) {
    case 'window-moved':
      return `Messages above were not sent with the last request: ${count(item, 'leftOutCount')} left out`
    case 'checkpoint-undone':
      return 'Summary undone'
    case 'agent-switched':
      return `${wordsOf(item.parts)} answers from here on`
    default:
      return wordsOf(item.parts)
  }
}

function accountingWords(item: TranscriptItem): string {
  const setAside = item.detail['setAsideCount']
  const reason = REASONS[textDetail(item, 'reason') ?? ''] ?? 'Set aside'
  return typeof setAside === 'number' ? `${reason} · ${wholeCount(setAside)} set aside` : reason
}

const REASONS: Readonly<Record<string, string>> = {
  edit: 'Message edited',
  retry: 'Retry',
  'retry-after-error': 'Retry after error',
  redo: 'Redone',
  rewind: 'Rewound',
  person: 'Archived',
  reset: 'Begun anew',
}

function textDetail({ detail }: TranscriptItem, name: string): string | undefined {
  const value = detail[name]
  return typeof value === 'string' ? value : undefined
}

function count({ detail }: TranscriptItem, name: string): string {
  const value = detail[name]
  return typeof value === 'number' ? wholeCount(value) : 'some'
}
