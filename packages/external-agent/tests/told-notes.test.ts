import type { ModelRequest } from '@holdfast/provider'
import { describe, expect, it } from 'vitest'
import { itemsOf, tellingOf, untold } from '../src/told.ts'

type Messages = ModelRequest['messages']

const note = (kind: string, text: string) => `<note kind="${kind}">\n${text}\n</note>`

function says(...texts: readonly string[]): Messages[number] {
  return { role: 'user', parts: texts.map((text) => ({ type: 'text', text })) }
}

function answers(text: string): Messages[number] {
  return { role: 'assistant', blocks: [{ type: 'text', text }] }
}

const keysOf = (messages: Messages): readonly string[] => itemsOf(messages).map(({ key }) => key)

function told(before: Messages, now: Messages): string {
  const rest = untold(keysOf(before), itemsOf(now))
  if (rest === null) throw new Error('The session has another past')
  return tellingOf(rest, '').text
}

const FIRST: Messages = [says(note('memories', '- likes tea'), 'Hello')]

describe('what an external agent is told of memories and its canvas', () => {
  it('[AGENT44] stands before the words of the person, and is no history', () => {
    const telling = tellingOf(itemsOf(FIRST), '')
    expect(telling).toEqual({ text: `${note('memories', '- likes tea')}\n\nHello`, isHistory: false })
  })

  it('[AGENT44] is told again only when it has changed, also where the request has left the older one out', () => {
    const same: Messages = [...FIRST, answers('Hi'), says('Again')]
    expect(told([...FIRST, answers('Hi')], same)).toBe('Again')
    const changed: Messages = [says('Hello'), answers('Hi'), says(note('memories', '- likes coffee'), 'Again')]
    expect(told([...FIRST, answers('Hi')], changed)).toBe(`${note('memories', '- likes coffee')}\n\nAgain`)
  })

  it('[AGENT44] is told once more where it has become what it was before', () => {
    const other: Messages = [says(note('memories', '- likes coffee'), 'Hello'), answers('Hi')]
    const now: Messages = [says('Hello'), answers('Hi'), says(note('memories', '- likes tea'), 'Again')]
    expect(told([...FIRST, ...other], [...FIRST, ...now])).toContain('likes tea')
  })

  it('[AGENT44] is told a new session once, the newest of each kind, beside what was said', () => {
    const all: Messages = [
      ...FIRST,
      answers('Hi'),
      says(note('canvas', 'e1 card'), note('memories', '- likes coffee'), 'Again'),
    ]
    const { text } = tellingOf(itemsOf(all), '')
    expect(text).not.toContain('likes tea')
    expect(text.match(/<note/g)).toHaveLength(2)
    expect(text.indexOf('</conversation-so-far>')).toBeLessThan(text.indexOf('e1 card'))
  })
})
