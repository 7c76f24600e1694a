import { say } from '../../shared/language/say.ts'

/** What is erased together, as a person calls it. */
type Group = 'message' | 'waiting' | 'reply' | 'call' | 'result' | 'canvas' | 'note' | 'summary' | 'title' | 'other'

/** What each kind of entry is to a person. */
const GROUPS: Readonly<Record<string, Group>> = {
  'user-message-sent': 'message',
  'input-admitted': 'waiting',
  'input-changed': 'waiting',
  'step-finished': 'reply',
  'step-failed': 'reply',
  'tool-call-started': 'call',
  'permission-requested': 'call',
  'permission-settled': 'call',
  'tool-call-settled': 'result',
  'tool-result-late': 'result',
  'question-asked': 'result',
  'question-settled': 'result',
  'canvas-changed': 'canvas',
  'auto-fix-changed': 'other',
  'context-noted': 'note',
  'checkpoint-made': 'summary',
  'title-changed': 'title',
}

const ORDER = [
  'message',
  'waiting',
  'reply',
  'call',
  'result',
  'canvas',
  'note',
  'summary',
  'title',
  'other',
] as const satisfies readonly Group[]

/** The kinds of entries that one act erases, in words and as a person counts them. */
export function erasedWords(kinds: Readonly<Record<string, number>>): readonly string[] {
  const counts = new Map<Group, number>()
  for (const [kind, count] of Object.entries(kinds)) {
    const group = GROUPS[kind] ?? 'other'
    counts.set(group, (counts.get(group) ?? 0) + count)
  }
  return ORDER.flatMap((group) => {
    const count = counts.get(group)
    return count === undefined ? [] : [inWords(group, count)]
  })
}

function inWords(group: Group, count: number): string {
  switch (group) {
    case 'message':
      return say('erasure.messages', { count })
    case 'waiting':
      return say('erasure.waiting', { count })
    case 'reply':
      return say('erasure.replies', { count })
    case 'call':
      return say('erasure.calls', { count })
    case 'result':
      return say('erasure.results', { count })
    case 'canvas':
      return say('erasure.canvas-changes', { count })
    case 'note':
      return say('erasure.notes', { count })
    case 'summary':
      return say('erasure.summaries', { count })
    case 'title':
      return say('erasure.titles', { count })
    case 'other':
      return say('erasure.others', { count })
  }
}
