import type { Entry } from '@holdfast/conversation'
import { describe, expect, it } from 'vitest'
import { faultsOfLog } from './support/engine-log.ts'
import { importInto, openImports } from './support/import-into.ts'

const FIRST = `
# aider chat started at 2024-08-05 19:33:02

> /usr/bin/aider lib.py  
> Aider v0.47.2-dev  
> Main model: claude-3-5-sonnet-20240620 with diff edit format  
> Added lib.py to the chat.  

#### /add notes.md  

> Added notes.md to the chat.  

#### Use the spinner  
####   
#### in both places  

Certainly.

lib.py
\`\`\`python
<<<<<<< SEARCH
#### a heading in a string
> a quote in a string
# aider is mentioned
=======
pass
>>>>>>> REPLACE
\`\`\`

Done.

> Tokens: 5,244 sent, 604 received. Cost: $0.02 request, $0.02 session.  
> Applied edit to lib.py  

#### And a test  

\`\`\`python
def test_it():
> ^C KeyboardInterrupt  

#### /exit  
`

const SECOND = `
# aider chat started at 2024-08-06 08:00:00

> Aider v0.51.2-dev  
> Model: gpt-4o-mini with whole edit format  

#### /ask what is this?  

A library.

> Tokens: 6.6k sent, 1.5k cache write, 2k cache hit, 342 received.
`

const EMPTY = `
# aider chat started at 2024-08-05 20:39:59

> Aider v0.47.2-dev  
> Git repo: none  
`

const ofType = <Type extends Entry['type']>(log: readonly Entry[], type: Type): Extract<Entry, { type: Type }>[] =>
  log.filter((entry): entry is Extract<Entry, { type: Type }> => entry.type === type)

const wordsIn = (log: readonly Entry[]): readonly string[] =>
  log.flatMap((entry) => {
    if (entry.type === 'user-message-sent')
      return entry.content.map((part) => (part.type === 'text' ? `> ${part.text}` : part.type))
    if (entry.type === 'step-finished') return entry.blocks.map((block) => (block.type === 'text' ? block.text : ''))
    return []
  })

/** Imports the text and reads the logs of what came of it. */
async function imported(text: string, imports = openImports()) {
  const { report, conversationIds } = await importInto(imports, text, { name: '.aider.chat.history.md' })
  const logs = await Promise.all(
    conversationIds.map(
      async (conversationId) => (await imports.store.read({ conversationId, after: 0, limit: 1_000 })).entries,
    ),
  )
  return { report, logs, imports }
}

describe('The history of aider', () => {
  it('[RUN1, COST8] becomes one conversation for each chat in which something was said, with its models and usage', async () => {
    const { report, logs } = await imported(`${FIRST}${EMPTY}${SECOND}`)
    expect(report).toMatchObject({ format: 'aider', conversations: 2 })
    const [first = [], second = []] = logs
    for (const log of logs) expect(faultsOfLog(log)).toEqual([])
    expect(wordsIn(first)).toEqual([
      '> Use the spinner\n\nin both places',
      expect.stringMatching(/^Certainly\.\n.*#### a heading in a string\n> a quote in a string.*\nDone\.$/s),
      '> And a test',
      '```python\ndef test_it():',
    ])
    expect(first[0]?.at).toBe(Date.UTC(2024, 7, 5, 19, 33, 2))
    expect(ofType(first, 'title-changed')).toMatchObject([{ title: 'Use the spinner' }])
    expect(ofType(first, 'run-finished').map(({ outcome }) => outcome)).toEqual(['completed', 'stopped'])
    expect(ofType(first, 'usage-recorded')[0]).toMatchObject({
      modelId: 'claude-3-5-sonnet-20240620',
      inputTokens: 5_244,
      outputTokens: 604,
      costUsd: 0.02,
      carried: true,
      measured: false,
    })
    expect(wordsIn(second)).toEqual(['> /ask what is this?', 'A library.'])
    expect(ofType(second, 'usage-recorded')[0]).toMatchObject({
      modelId: 'gpt-4o-mini',
      inputTokens: 3_100,
      cacheReadTokens: 2_000,
      cacheCreation5mTokens: 1_500,
      outputTokens: 342,
    })
  })

  it('[LOG4] brings what is new when it has grown, and nothing twice', async () => {
    const { imports } = await imported(`${FIRST}${SECOND}`)
    const again = await imported(`${FIRST}${SECOND}`, imports)
    expect(again.report).toMatchObject({ conversations: 0, updated: 0, alreadyThere: 2 })
    const grown = `${FIRST}${SECOND}\n#### And who wrote it?  \n\nNobody knows.\n${FIRST.replace('08-05', '08-07')}`
    const { report, logs } = await imported(grown, imports)
    expect(report).toMatchObject({ conversations: 1, updated: 1, alreadyThere: 1 })
    expect(wordsIn(logs[0] ?? []).slice(-2)).toEqual(['> And who wrote it?', 'Nobody knows.'])
  })

  it('[SEC5] passes over a chat that is longer than allowed, and takes the others', async () => {
    const imports = openImports()
    const limits = { documentChars: 2_000 }
    const { report } = await importInto(imports, `${FIRST}${'word\n'.repeat(1_000)}${SECOND}`, { limits })
    expect(report).toMatchObject({ conversations: 1, skippedCounts: { 'too-long': 1 } })
  })

  it('[LOG7] is told from other texts by the line that begins a chat', async () => {
    const { report } = await imported('#### Not a chat\n\nJust Markdown that says: # aider chat started at some time\n')
    expect(report).toMatchObject({ format: null, skippedCounts: { 'unknown-format': 1 } })
  })
})
