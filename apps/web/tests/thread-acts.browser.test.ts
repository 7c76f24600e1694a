import type { NewEntry } from '@holdfast/conversation'
import {
  checkpointMade,
  conversationCreated,
  inputAdmitted,
  pathRewound,
  runFinished,
  runStarted,
  stepFinished,
  stepStarted,
  textBlock,
  titleChanged,
  usageRecorded,
  userMessageSent,
  wholeTurn,
} from '@holdfast/conversation/testing'
import { expect, test } from 'vitest'
import { axeProblems } from './support/axe.ts'
import { SCRIPTED_ID, SCRIPTED_USE } from './support/scripted-line.ts'
import { scriptedScene } from './support/scripted-scene.ts'
import { shots } from './support/shots.ts'
import { askedWithCalls, delegated } from './support/told-turns.ts'

const scene = scriptedScene()

const engine = { type: 'engine' } as const

/** A log with its beginning and so many turns of seven entries each: turn n is asked `Question n?`. */
function turns(count: number): NewEntry[] {
  const all = Array.from({ length: count }, (_, index) =>
    wholeTurn(index + 1, { asked: `Question ${index + 1}?`, answered: `Answer ${index + 1}.` }),
  )
  return [conversationCreated('local'), ...all.flat()]
}

test('[CHK7, LOG9] a checkpoint says what it stands for, is changed, taken back, and made again after an erasure', async () => {
  scene.line.append([
    ...turns(2),
    checkpointMade({ fromSeq: 2, toSeq: 8 }, 'They asked **once**.'),
    ...wholeTurn(3, { asked: 'Third?', answered: 'Yes.' }),
  ])
  const asked: { readonly method: string; readonly path: string; readonly body: unknown }[] = []
  await scene.context.route(/\/checkpoint\/16/, async (route) => {
    const request = route.request()
    asked.push({ method: request.method(), path: new URL(request.url()).pathname, body: request.postDataJSON() })
    await route.fulfill({ json: { conversationId: SCRIPTED_ID, seq: 20 } })
  })
  const page = await scene.open()
  const card = page.getByTestId('checkpoint-card')
  await expect.poll(() => card.getAttribute('data-state')).toBe('counts')
  await expect.poll(() => card.innerText()).toContain('Stands for what is above it: 2 messages')
  await expect.poll(() => page.locator('[data-testid=turn][data-unsent]').count()).toBe(1)
  await card.getByRole('button', { name: 'Edit summary' }).click()
  await card.getByLabel('Summary', { exact: true }).fill('They asked twice.')
  await card.getByRole('button', { name: 'Save summary' }).click()
  await card.getByRole('button', { name: 'Undo checkpoint' }).click()
  await expect.poll(() => asked.length).toBe(2)
  expect(asked).toMatchObject([
    { method: 'PATCH', body: { summary: 'They asked twice.' } },
    { method: 'POST', path: `/api/v1/conversations/${SCRIPTED_ID}/checkpoint/16/undo` },
  ])
  scene.line.append([{ type: 'checkpoint-undone', actor: engine, checkpointSeq: 16 }])
  await page.locator('[data-testid=checkpoint-card][data-state=unused]').waitFor()
  await expect.poll(() => page.locator('[data-testid=turn][data-unsent]').count()).toBe(0)
  await expect.poll(() => page.getByTestId('notice').innerText()).toContain('Summary checkpoint undone')
  let again = 0
  await scene.context.route(/\/checkpoint$/, async (route) => {
    again += 1
    await route.fulfill({ status: 202, json: { runId: 'run_9' } })
  })
  const receipt = { erasedType: 'checkpoint-made', of: {}, reason: 'a slip', erasedAt: 9_000 }
  const together = { 'user-message-sent': 1, 'checkpoint-made': 2 }
  scene.line.append([
    { ...receipt, together, type: 'body-erased', actor: engine, erasedBy: { type: 'person', userId: 'local' } },
  ])
  await expect
    .poll(() => page.getByTestId('erased-receipt').innerText())
    .toMatch(/Erased by you, .*\s*a slip\s*the message, 2 summaries that cover it/)
  await page.getByRole('button', { name: 'Summarise again' }).click()
  await expect.poll(() => again).toBe(1)
})

test('[WIN7] the line of the window stands at the cut and moves with it', async () => {
  scene.line.append([...turns(3), { type: 'window-moved', actor: engine, startSeq: 9, leftOutCount: 2 }])
  const page = await scene.open()
  const shown = page.getByTestId('memory-window-line')
  await expect.poll(() => shown.getByRole('separator').innerText()).toBe('2 earlier messages are not sent to the model')
  await expect.poll(() => page.locator('[data-testid=turn][data-unsent]').innerText()).toContain('Question 1?')
  scene.line.append([{ type: 'window-moved', actor: engine, startSeq: 16, leftOutCount: 4 }])
  await page.getByText('4 earlier messages are not sent').waitFor()
  await expect.poll(() => shown.count()).toBe(1)
  const order = await page.evaluate(ORDER)
  expect(order).toEqual(['turn', 'turn', 'memory-window-line', 'turn'])
})

/** The parts of the thread as they stand under each other. */
const ORDER = `[...document.querySelectorAll('[data-testid=turn],[data-testid=memory-window-line]')]
  .sort((a, b) => a.getBoundingClientRect().y - b.getBoundingClientRect().y).map((e) => e.dataset.testid)`

test('[PRJ4] requests for a title and for a summary are lines that are shown on wish, never answers; the title is shown at once', async () => {
  scene.line.append(turns(1))
  const page = await scene.open()
  await expect.poll(() => page.locator('h1').innerText()).toBe('Question 1?')
  const failed: NewEntry = {
    type: 'step-failed',
    actor: engine,
    runId: 'run_title',
    stepId: 'step_title',
    error: { code: 'overloaded', message: 'Too busy', status: 529 },
    attempt: 1,
  }
  scene.line.append([
    runStarted('run_title', 'title'),
    stepStarted('run_title', 'step_title', 'title'),
    failed,
    stepStarted('run_title', 'step_title_2', 'title'),
    stepFinished('run_title', 'step_title_2', [textBlock('A fine title')]),
    titleChanged('A fine title', 'auto'),
    runFinished('run_title', 'completed'),
  ])
  await page.getByRole('heading', { level: 1, name: 'A fine title' }).waitFor()
  await expect.poll(() => page.getByTestId('turn').count()).toBe(1)
  await expect.poll(() => page.getByTestId('system-entry').count()).toBe(0)
  await expect.poll(() => page.getByTestId('error-card').count()).toBe(0)
  await page.getByRole('button', { name: 'Inspector', exact: true }).click()
  await page.getByLabel('Show requests for titles and summaries in the thread').check()
  await expect
    .poll(() => page.getByTestId('system-entry').allInnerTexts())
    .toMatchObject([
      expect.stringContaining('Request for a title, failed'),
      expect.stringContaining('Request failed: The provider is overloaded'),
      expect.stringContaining('Request for a title'),
      expect.stringContaining('Title: A fine title'),
    ])
  await expect.poll(() => page.getByTestId('turn').count()).toBe(1)
})

test('[CHK1] while a summary is made it is told, its words are no answer, and it can be called off', async () => {
  scene.line.append([
    ...turns(1),
    runStarted('run_sum', 'checkpoint'),
    stepStarted('run_sum', 'step_sum', 'checkpoint'),
  ])
  const page = await scene.open()
  scene.line.say('step_sum', 'SUMMARY WORDS')
  await page.getByTestId('summarising').getByRole('button', { name: 'Cancel' }).click()
  await expect.poll(() => scene.line.commands).toMatchObject([{ name: 'stop-run', runId: 'run_sum' }])
  await expect.poll(() => page.getByText('SUMMARY WORDS').count()).toBe(0)
  scene.line.append([runFinished('run_sum', 'stopped'), inputAdmitted('input_9', 'Next'), runStarted('run_9', 'turn')])
  scene.line.append([userMessageSent('run_9', 'input_9', 'Next'), stepStarted('run_9', 'step_9', 'checkpoint')])
  await page.getByTestId('msg-assistant').getByTestId('summarising').waitFor()
  scene.line.say('step_9', 'MORE SUMMARY')
  scene.line.append([
    stepFinished('run_9', 'step_9', [textBlock('MORE SUMMARY')]),
    stepStarted('run_9', 'step_10', 'turn'),
  ])
  scene.line.say('step_10', 'The answer')
  await page.getByText('The answer').waitFor()
  await expect.poll(() => page.getByText('MORE SUMMARY').count()).toBe(0)
})

test('[PRJ6] a message is written anew in its place, a reply asked for again, and the path set back', async () => {
  scene.line.append(turns(3))
  const page = await scene.open()
  const second = page.getByTestId('turn').nth(1)
  await second.getByRole('button', { name: 'Edit message' }).click()
  const field = second.getByLabel('Edited message')
  await expect.poll(() => field.inputValue()).toBe('Question 2?')
  await field.fill('Another question?')
  await field.press('Escape')
  await expect.poll(() => scene.line.commands).toEqual([])
  await second.getByRole('button', { name: 'Edit message' }).click()
  await field.fill('Another question?')
  await field.press('Enter')
  const first = page.getByTestId('turn').nth(0)
  await first.getByRole('button', { name: 'Edit message' }).click()
  await first.getByLabel('Edited message').press('Enter')
  await second.getByRole('button', { name: 'Retry reply' }).click()
  await second.getByRole('button', { name: 'Rewind to here' }).click()
  await expect
    .poll(() => scene.line.commands)
    .toMatchObject([
      { name: 'rewind', toSeq: 8, reason: 'edit', content: [{ type: 'text', text: 'Another question?' }] },
      { name: 'rewind', toSeq: 0, reason: 'edit' },
      { name: 'rewind', toSeq: 8, reason: 'retry' },
      { name: 'rewind', toSeq: 15, reason: 'rewind' },
    ])
})

test('[PRJ6] branches of a message are counted and walked through, to the end of each', async () => {
  const totals = {
    requestCount: 2,
    inputTokens: 12_500,
    outputTokens: 8_300,
    cacheReadTokens: 5_000,
    cacheCreation5mTokens: 1_200,
    cacheCreation1hTokens: 0,
    thinkingTokens: 0,
    costUsd: 0.14,
    unpricedCount: 1,
    estimatedCount: 0,
  }
  scene.line.append([
    ...turns(3),
    { type: 'path-rewound', actor: engine, toSeq: 8, reason: 'edit', setAsideCount: 4, totals },
    ...wholeTurn(4, { asked: 'Question 2, edited?', answered: 'Answer 4.' }),
  ])
  const page = await scene.open()
  const branch = page.getByTestId('branch')
  await expect.poll(() => branch.getAttribute('data-state')).toBe('2/2')
  await expect.poll(() => page.getByText('Question 3?').count()).toBe(0)
  await expect
    .poll(() => page.getByTestId('accounting-line').innerText())
    .toContain(
      'Message edited · 4 messages set aside · so far 12.5k in · 8.3k out · 5k cache read · 1.2k cache write · ≥ $0.140',
    )
  await branch.getByRole('button', { name: 'Next branch' }).click({ force: true })
  await expect.poll(() => scene.line.commands).toEqual([])
  await branch.getByRole('button', { name: 'Previous branch' }).click()
  await expect.poll(() => scene.line.commands).toMatchObject([{ name: 'select-path', head: 22 }])
  scene.line.append([{ type: 'path-selected', actor: engine, headSeq: 22 }])
  await page.getByText('Question 3?').waitFor()
  await expect.poll(() => branch.getAttribute('data-state')).toBe('1/2')
  await expect.poll(() => page.getByText('Question 2, edited?').count()).toBe(0)
})

test('[PRJ6] what was set aside is shown again from its accounting line, and a rewind is taken back', async () => {
  scene.line.append([...turns(3), pathRewound(8)])
  const page = await scene.open()
  await page.getByTestId('accounting-line').getByRole('button', { name: 'Show what was set aside' }).click()
  await expect.poll(() => scene.line.commands).toMatchObject([{ name: 'select-path', head: 22 }])
  scene.line.append([{ type: 'path-selected', actor: engine, headSeq: 22 }])
  await page.getByText('Question 3?').waitFor()
  await page.getByTestId('msg-assistant').first().hover()
  await page.getByRole('button', { name: 'Rewind to here' }).first().click()
  await expect.poll(() => scene.line.commands.slice(1)).toMatchObject([{ name: 'rewind', toSeq: 8, reason: 'rewind' }])
  await page.getByTestId('toast').getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => scene.line.commands.slice(2)).toMatchObject([{ name: 'select-path', head: 22 }])
})

test('[UI22] a press is not lost where a title comes between its beginning and its end, nor is what it opened', async () => {
  scene.line.append(turns(2))
  const page = await scene.open()
  const title = (number: number, words: string): NewEntry[] => [
    runStarted(`run_t${number}`, 'title'),
    stepStarted(`run_t${number}`, `step_t${number}`, 'title'),
    stepFinished(`run_t${number}`, `step_t${number}`, [textBlock(words)]),
    usageRecorded(`run_t${number}`, `step_t${number}`, { input: 20, output: 3 }),
    titleChanged(words, 'auto'),
    runFinished(`run_t${number}`, 'completed'),
  ]
  const message = page.getByTestId('msg-user').last()
  await message.hover()
  const edit = message.getByRole('button', { name: 'Edit message' })
  const box = await edit.boundingBox()
  expect(box).not.toBeNull()
  const marked = await edit.evaluateHandle((element) => element)
  await page.mouse.move((box?.x ?? 0) + 5, (box?.y ?? 0) + 5)
  await page.mouse.down()
  scene.line.append(title(1, 'First title'))
  await page.getByRole('heading', { level: 1, name: 'First title' }).waitFor()
  expect(await marked.evaluate((element) => element.isConnected)).toBe(true)
  await page.mouse.up()
  const field = page.getByLabel('Edited message')
  await field.fill('Other words')
  scene.line.append(title(2, 'Second title'))
  await page.getByRole('heading', { level: 1, name: 'Second title' }).waitFor()
  await expect.poll(() => field.inputValue()).toBe('Other words')
})

test('[UI21] what was set aside is erased from its accounting line', async () => {
  scene.line.append([...turns(3), pathRewound(8)])
  const asked: unknown[] = []
  const seqs = [11, 13, 18, 20]
  await scene.context.route(/\/conversations\/[^/]+\/erase$/, async (route) => {
    asked.push(route.request().postDataJSON())
    const kinds = { 'user-message-sent': 2, 'step-finished': 2 }
    const told = { conversationId: SCRIPTED_ID, seqs, kinds, fileCount: 0, isErased: false, backups: '', memoryIds: [] }
    await route.fulfill({ json: told })
  })
  const page = await scene.open()
  await page.getByTestId('accounting-line').getByRole('button', { name: 'Erase what was set aside' }).click()
  await page.getByRole('dialog', { name: 'Erase what was set aside?' }).waitFor()
  await expect.poll(() => asked).toMatchObject([{ seqs, results: true, dryRun: true }])
  await shots(page, 'set-aside')
})

test('[AGENT3] the card of a sub-agent leads to its conversation', async () => {
  const call = { callId: 'call_1', name: 'delegate', input: { task: 'Count' } }
  scene.line.append([
    ...askedWithCalls({ asked: 'Count', answered: 'I ask.' }, [call]),
    delegated('call_1', 'conversation_child'),
  ])
  const page = await scene.open()
  await expect.poll(() => page.getByTestId('sub-agent').getAttribute('href')).toBe('/c/conversation_child')
})

test('[COST3] an amount with an unknown part says at least, and one that is unknown is no amount', async () => {
  const priced = usageRecorded('run_1', 'step_1', { input: 100_000, output: 2_000 })
  scene.line.append([
    conversationCreated('local'),
    ...wholeTurn(1, { asked: 'One?', answered: 'One.' }).map((entry) =>
      entry.type === 'usage-recorded' ? priced : entry,
    ),
  ])
  const page = await scene.open()
  await expect.poll(() => page.getByTestId('cost').innerText()).toBe('demo')
  await expect.poll(() => page.locator('.ledger').last().innerText()).toContain('$0.110')
  scene.line.append(
    wholeTurn(2, { asked: 'Two?', answered: 'Two.' }).map((entry) =>
      entry.type === 'usage-recorded' ? { ...entry, providerId: 'acme', modelId: 'large', costUsd: null } : entry,
    ),
  )
  await page.getByText('Two.').waitFor()
  await expect.poll(() => page.getByTestId('cost').innerText()).toBe('≥ $0.110')
  await expect.poll(() => page.locator('.ledger').last().innerText()).toContain('—')
})

test('[COST6] the ruler tells how full the window is, and the inspector of what', async () => {
  scene.line.append(turns(1))
  const page = await scene.open()
  const meter = page.getByTestId('context-meter').first()
  await meter.waitFor()
  await expect.poll(() => meter.getAttribute('aria-valuetext')).toBe('46 percent, 92.1k of 200k tokens, plenty of room')
  await page.getByText('46 % · 92.1k of 200k').click()
  const rows = page.getByTestId('inspector-context').locator('tr')
  const texts = async () => (await rows.allInnerTexts()).map((row) => row.replaceAll(/\s+/g, ' ').trim())
  await expect
    .poll(texts)
    .toEqual([
      'System 3.2k 1.6 %',
      'Tools 13.9k 7.0 %',
      'Canvas and memory 412 0.2 %',
      'Summary 1.9k 1.0 %',
      'Messages 48.6k 24.3 %',
      'Tool results 24.1k 12.0 %',
      'Files and images 0 0.0 %',
      'built in 4k 2.0 %',
      'github 9.9k 4.9 %',
      'Free 83.9k 41.9 %',
      'Kept for the reply 24k 12.0 %',
    ])
})

for (const [percent, fullness] of [
  [59, 'calm'],
  [60, 'filling'],
  [75, 'near'],
  [90, 'critical'],
  [100, 'critical'],
  [101, 'over'],
] as const) {
  test(`[UI14] at ${percent} percent the window looks ${fullness}`, async () => {
    const use = { ...SCRIPTED_USE, percent, usedTokens: percent * 2_000 }
    await scene.context.route(/\/context$/, (route) => route.fulfill({ json: use }))
    scene.line.append(turns(1))
    const page = await scene.open()
    await page.locator(`[data-testid=context-meter][data-fullness=${fullness}]`).first().waitFor()
    const field = page.getByTestId('composer-input')
    await field.fill('One more')
    await shots(page, `full-${percent}`)
    await expect.poll(() => page.getByTestId('send').count()).toBe(percent > 100 ? 0 : 1)
    await expect.poll(() => page.locator('.context-warning').count()).toBe(percent >= 75 ? 1 : 0)
    if (percent <= 100) return
    await field.press('Enter')
    const menu = page.getByTestId('make-room')
    await expect.poll(() => menu.getByRole('listitem').count()).toBe(4)
    await shots(page, 'make-room')
    await expect.poll(() => axeProblems(page)).toEqual([])
    await menu.getByRole('button', { name: 'Send without the oldest' }).click()
    await expect.poll(() => scene.line.commands).toMatchObject([{ name: 'send-message' }])
  })
}

test('[PRJ6] with the focus on a message single keys act on it, and nowhere else', async () => {
  scene.line.append(turns(2))
  const page = await scene.open()
  await page.getByTestId('composer-input').press('r')
  await expect.poll(() => scene.line.commands).toEqual([])
  await page.getByRole('log').focus()
  await page.keyboard.press('k')
  await page.keyboard.press('r')
  await page.keyboard.press('k')
  await page.keyboard.press('e')
  await expect.poll(() => scene.line.commands).toMatchObject([{ name: 'rewind', toSeq: 8, reason: 'retry' }])
  await expect.poll(() => page.getByLabel('Edited message').inputValue()).toBe('Question 2?')
})

test('[SYNC2] whoever sends a message sees it, wherever they were reading', async () => {
  scene.line.append(turns(30))
  const page = await scene.open()
  await page.getByRole('log').hover()
  await page.mouse.wheel(0, -2_000)
  await page.locator('[data-pinned=false]').waitFor()
  await page.getByTestId('composer-input').fill('Here I am')
  await page.getByTestId('composer-input').press('Enter')
  await page.locator('[data-pinned=true]').waitFor()
  await expect
    .poll(() => page.getByText('Here I am').evaluate((e) => e.getBoundingClientRect().bottom))
    .toBeLessThan(800)
})
