import { conversationCreated, wholeTurn } from '@holdfast/conversation/testing'
import { expect, test } from 'vitest'
import { axeProblems } from './support/axe.ts'
import { SCRIPTED_ID, SCRIPTED_USE } from './support/scripted-line.ts'
import { scriptedScene } from './support/scripted-scene.ts'

const scene = scriptedScene()

const NEXT_REQUEST = {
  request: { system: 'Be brief.', tools: [], messages: [{ role: 'user', parts: [{ type: 'text', text: 'Third?' }] }] },
  wireBody: null,
  anchors: [],
  windowStartSeq: 16,
  estimatedInputTokens: 40,
  items: [{ seqs: [18], tokens: 20, reasons: ['window'] }],
  leftOut: [{ reason: 'before-window', messageCount: 4 }],
  cache: { state: 'empty', keptTokens: 0, warmUntil: { '5m': null, '1h': null }, keptToSeq: null },
}

test('[WIN7] the line of the window leads to what is left out, and that to its messages', async () => {
  scene.line.append([
    conversationCreated('local'),
    ...[1, 2, 3].flatMap((number) =>
      wholeTurn(number, { asked: `Question ${number}?`, answered: `Answer ${number}.` }),
    ),
    { type: 'window-moved', actor: { type: 'engine' }, startSeq: 16, leftOutCount: 4 },
  ])
  await scene.context.route(new RegExp(`/conversations/${SCRIPTED_ID}/request$`), (route) =>
    route.fulfill({ json: NEXT_REQUEST }),
  )
  const page = await scene.open()
  await page.getByTestId('memory-window-line').getByRole('button', { name: 'What is left out' }).click()
  const list = page.getByTestId('left-out')
  await expect.poll(() => list.evaluate((element) => element === document.activeElement)).toBe(true)
  await expect.poll(() => list.innerText()).toContain('4 messages: before the window')
  await expect.poll(() => axeProblems(page)).toEqual([])
  await list.getByRole('button', { name: 'Show the last' }).click()
  const last = page.getByTestId('msg-assistant').filter({ hasText: 'Answer 2.' })
  await expect.poll(() => last.evaluate((element) => element === document.activeElement)).toBe(true)
  await page.getByTestId('left-out').getByRole('button', { name: 'Show the first' }).click()
  const first = page.getByTestId('msg-user').filter({ hasText: 'Question 1?' })
  await expect.poll(() => first.evaluate((element) => element === document.activeElement)).toBe(true)
})

test('[REQ4] thinking that the next request leaves out says so, and other thinking does not', async () => {
  const thought = (number: number) => {
    const turn = wholeTurn(number, { asked: `Question ${number}?`, answered: `Answer ${number}.` })
    return turn.map((entry) =>
      entry.type === 'step-finished'
        ? { ...entry, blocks: [{ type: 'thinking' as const, text: `Thought ${number}` }, ...entry.blocks] }
        : entry,
    )
  }
  scene.line.append([conversationCreated('local'), ...thought(1), ...thought(2)])
  const [first] = scene.line.log.filter(({ type }) => type === 'step-finished')
  await scene.context.route(new RegExp(`/conversations/${SCRIPTED_ID}/context$`), (route) =>
    route.fulfill({ json: { ...SCRIPTED_USE, thinkingLeftOutSeqs: [first?.seq] } }),
  )
  const page = await scene.open()
  const replies = page.getByTestId('msg-assistant')
  await expect
    .poll(() =>
      replies
        .first()
        .getByRole('button', { name: /Thought/ })
        .innerText(),
    )
    .toContain('not re-sent')
  await expect
    .poll(() =>
      replies
        .last()
        .getByRole('button', { name: /Thought/ })
        .innerText(),
    )
    .not.toContain('not re-sent')
})
