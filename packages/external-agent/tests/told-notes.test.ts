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

/** The words of a telling in which nothing is attached. */
async function wordsOf(items: Parameters<typeof tellingOf>[0]) {
  const telling = await tellingOf(items, { instructions: '', sent: () => expect.unreachable() })
  const [block, ...along] = telling.blocks
  if (block?.type !== 'text' || along.length > 0) throw new Error('There are words alone')
  return { text: block.text, isHistory: telling.isHistory }
}

async function told(before: Messages, now: Messages): Promise<string> {
  const rest = untold(keysOf(before), itemsOf(now))
  if (rest === null) throw new Error('The session has another past')
  return (await wordsOf(rest)).text
}

const FIRST: Messages = [says(note('memories', '- likes tea'), 'Hello')]

describe('what an external agent is told of memories, its canvas and schedules', () => {
  it('[AGENT44] stands before the words of the person, and is no history', async () => {
    const telling = await wordsOf(itemsOf(FIRST))
    expect(telling).toEqual({ text: `${note('memories', '- likes tea')}\n\nHello`, isHistory: false })
  })

  it('[AGENT44, SCHED52] is of schedules too', async () => {
    const first: Messages = [says(note('schedules', '- On: Bells'), 'Hello')]
    const again = [...first, answers('Hi'), says('Again')]
    expect(await wordsOf(itemsOf(first))).toMatchObject({
      text: expect.stringMatching(/Bells[\s\S]*Hello$/),
      isHistory: false,
    })
    expect(await told([...first, answers('Hi')], again)).toBe('Again')
    const over = [says('Hello'), answers('Hi'), says(note('schedules', '- Over: Bells'), 'Again')]
    expect(await told([...first, answers('Hi')], over)).toBe(`${note('schedules', '- Over: Bells')}\n\nAgain`)
  })

  it('[AGENT44] is told again only when it has changed, also where the request has left the older one out', async () => {
    const same: Messages = [...FIRST, answers('Hi'), says('Again')]
    expect(await told([...FIRST, answers('Hi')], same)).toBe('Again')
    const changed: Messages = [says('Hello'), answers('Hi'), says(note('memories', '- likes coffee'), 'Again')]
    expect(await told([...FIRST, answers('Hi')], changed)).toBe(`${note('memories', '- likes coffee')}\n\nAgain`)
  })

  it('[AGENT44] is told once more where it has become what it was before', async () => {
    const other: Messages = [says(note('memories', '- likes coffee'), 'Hello'), answers('Hi')]
    const now: Messages = [says('Hello'), answers('Hi'), says(note('memories', '- likes tea'), 'Again')]
    expect(await told([...FIRST, ...other], [...FIRST, ...now])).toContain('likes tea')
  })

  it('[AGENT44] is told a new session once, the newest of each kind, beside what was said', async () => {
    const all: Messages = [
      ...FIRST,
      answers('Hi'),
      says(note('canvas', 'e1 card'), note('memories', '- likes coffee'), 'Again'),
    ]
    const { text } = await wordsOf(itemsOf(all))
    expect(text).not.toContain('likes tea')
    expect(text.match(/<note/g)).toHaveLength(2)
    expect(text.indexOf('</conversation-so-far>')).toBeLessThan(text.indexOf('e1 card'))
  })
})
