import {
  conversationCreated,
  runFinished,
  stepFinished,
  stepStarted,
  textBlock,
  usageRecorded,
  wholeTurn,
} from '@holdfast/conversation/testing'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { untilTurn } from './support/browser.ts'
import { SCRIPTED_ID } from './support/scripted-line.ts'
import { scriptedScene } from './support/scripted-scene.ts'
import { answered, askedWithCalls, asking, begun, ended } from './support/told-turns.ts'

const scene = scriptedScene()

const read = { callId: 'call_1', name: 'read_file', input: { path: 'src/a.ts' } }
const run = { callId: 'call_2', name: 'run_command', input: { command: 'npm test -- signup' } }
const words = { asked: 'Look at it', answered: 'I will read it first.' }

function askToRun(requestId: string) {
  return asking(requestId, { callId: 'call_2', tool: 'run_command', input: run.input }, 'It runs a command')
}

test('[PERM3] a request takes no focus, and nothing that was on its way answers it', async () => {
  scene.line.append([...askedWithCalls(words, [read, run]), askToRun('request_1')])
  const page = await scene.open()
  const input = page.getByTestId('composer-input')
  await input.focus()
  scene.line.append([
    asking('request_2', { callId: 'call_1', tool: 'read_file', input: read.input }, 'Outside the folder'),
  ])
  await page.getByTestId('permission-card').nth(1).waitFor()
  await expect.poll(() => page.evaluate('document.activeElement?.id')).toBe('composer-input')
  await expect.poll(() => page.getByTestId('permission-card').nth(1).getAttribute('data-state')).toBe('arming')
  await page.getByTestId('permission-card').nth(1).getByRole('button', { name: 'Allow once' }).click({ force: true })
  await expect.poll(() => scene.line.commands).toEqual([])
  await page.locator('[data-testid=permission-card][data-state=armed]').nth(1).waitFor()
  await expect.poll(() => scene.line.commands).toEqual([])
})

test('[PERM3] words that are being typed when a request comes stay in their field', async () => {
  scene.line.append(askedWithCalls(words, [run]))
  const page = await scene.open()
  const input = page.getByTestId('composer-input')
  await input.pressSequentially('half a sen')
  scene.line.append([askToRun('request_1')])
  await page.getByTestId('permission-card').waitFor()
  await page.keyboard.type('tence 1 y')
  await expect.poll(() => input.inputValue()).toBe('half a sentence 1 y')
  await expect.poll(() => scene.line.commands).toEqual([])
  await expect
    .poll(() => page.getByTestId('announcer-urgent').innerText())
    .toBe('Permission needed: run_command npm test -- signup.')
})

test('[PERM5] a request shows what would run, and is allowed once, for the conversation, or denied with a reason', async () => {
  scene.line.append([...askedWithCalls(words, [run]), askToRun('request_1')])
  const page = await scene.open()
  const card = page.getByTestId('permission-card')
  await expect.poll(() => card.innerText()).toContain('npm test -- signup')
  await expect.poll(() => card.innerText()).toContain('You are asked because nothing allows this yet.')
  await expect.poll(() => page.getByTestId('turn').getAttribute('data-state')).toBe('waiting_permission')
  await page.locator('[data-testid=permission-card][data-state=armed]').waitFor()
  await card.getByRole('button', { name: 'Allow once' }).click()
  await page.locator('[data-testid=permission-card][data-state=answered]').waitFor()
  expect(scene.line.commands.at(-1)).toMatchObject({
    name: 'answer-permission',
    requestId: 'request_1',
    decision: 'allow',
    scope: 'call',
  })
  scene.line.append([answered('request_1', 'allowed', null), askToRun('request_2')])
  await page.locator('[data-testid=permission-card][data-state=armed]').waitFor()
  await page.getByLabel('Other ranges').click()
  await page.keyboard.press('Escape')
  expect(scene.line.commands).toHaveLength(1)
  await page.getByRole('button', { name: 'Allow for this conversation' }).click()
  expect(scene.line.commands.at(-1)).toMatchObject({ requestId: 'request_2', decision: 'allow', scope: 'conversation' })
  scene.line.append([answered('request_2', 'allowed', null), askToRun('request_3')])
  await page.locator('[data-testid=permission-card][data-state=armed]').waitFor()
  await page.getByRole('button', { name: 'Deny…' }).click()
  await page.getByLabel('Reason for the model').fill('use vitest')
  await page.keyboard.press('Enter')
  expect(scene.line.commands.at(-1)).toMatchObject({ requestId: 'request_3', decision: 'deny', reason: 'use vitest' })
  const denied = ended({ callId: 'call_2', name: 'run_command' }, 'denied', {
    text: 'denied: use vitest',
    durationMs: 0,
  })
  scene.line.append([answered('request_3', 'denied', 'use vitest'), denied])
  await card.waitFor({ state: 'detached' })
  await expect.poll(() => page.getByTestId('permission-receipt').innerText()).toMatch(/Denied · you · .*use vitest/s)
})

test('[PERM3] by the keyboard the oldest request is answered, once it has been there for a moment', async () => {
  scene.line.append(askedWithCalls(words, [run]))
  const page = await scene.open()
  const pressed = page.evaluate(pressAsSoonAsItAsks)
  scene.line.append([askToRun('request_1')])
  expect(await pressed).toBe('arming')
  await expect.poll(() => scene.line.commands).toEqual([])
  await page.locator('[data-testid=permission-card][data-state=armed]').waitFor()
  expect(scene.line.commands).toEqual([])
  await page.keyboard.press('Control+Alt+Backspace')
  await expect
    .poll(() => scene.line.commands)
    .toMatchObject([{ name: 'answer-permission', requestId: 'request_1', decision: 'deny' }])
})

/** Presses the key that allows in the moment in which a card comes: no key of the test's own is that quick on a busy machine. */
function pressAsSoonAsItAsks(): Promise<string | null> {
  return new Promise((resolve) => {
    const look = (): void => {
      const card = document.querySelector('[data-testid=permission-card]')
      if (!card) return
      observer.disconnect()
      const key = { key: 'Enter', code: 'Enter', ctrlKey: true, altKey: true, bubbles: true, cancelable: true }
      document.body.dispatchEvent(new KeyboardEvent('keydown', key))
      resolve(card.getAttribute('data-state'))
    }
    const observer = new MutationObserver(look)
    observer.observe(document.body, { childList: true, subtree: true })
  })
}

test('[STOP5] denying and stopping is one press', async () => {
  scene.line.append([...askedWithCalls(words, [run]), askToRun('request_1')])
  const page = await scene.open()
  await page.locator('[data-testid=permission-card][data-state=armed]').waitFor()
  await page.getByRole('button', { name: 'Deny…' }).click()
  await page.getByRole('button', { name: 'Deny and stop' }).click()
  expect(scene.line.commands.map(({ name }) => name)).toEqual(['answer-permission', 'stop-run'])
})

test('[TOOL2] each outcome of a call is told by a sign and by words; what failed is open', async () => {
  const outcomes = ['ok', 'error', 'denied', 'timed-out', 'aborted', 'not-started', 'unknown'] as const
  const calls = outcomes.map((outcome) => ({ callId: outcome, name: `tool_${outcome}`, input: { path: outcome } }))
  const results = outcomes.map((outcome) =>
    ended({ callId: outcome, name: `tool_${outcome}` }, outcome, { text: `text of ${outcome}`, durationMs: 3_100 }),
  )
  scene.line.append([...askedWithCalls(words, calls), begun('ok', 'tool_ok')])
  const page = await scene.open()
  const cards = page.getByTestId('tool-card')
  const states = () => cards.evaluateAll((elements) => elements.map((element) => element.getAttribute('data-state')))
  await expect.poll(() => states()).toEqual(['running', ...outcomes.slice(1).map(() => 'pending')])
  await expect.poll(() => cards.first().innerText()).toMatch(/running · \d s/)
  scene.line.send({ type: 'progress', conversationId: SCRIPTED_ID, callId: 'ok', message: '12/40' })
  await cards.first().getByText('12/40').waitFor()
  scene.line.append([...results, runFinished('run_1', 'stopped')])
  await untilTurn(page, 'stopped')
  await expect.poll(() => states()).toEqual([...outcomes])
  await expect.poll(() => cards.nth(1).innerText()).toMatch(/failed · 3\.1 s.*text of error/s)
  await expect.poll(() => cards.nth(3).innerText()).toContain('timed out after 3.1 s')
  await expect.poll(() => cards.nth(4).innerText()).toContain('aborted after 3.1 s')
  await expect.poll(() => cards.first().innerText()).not.toContain('text of ok')
  await cards.first().getByRole('button').first().click()
  await expect.poll(() => cards.first().innerText()).toContain('text of ok')
  const signs = await cards.locator('.tool-head > .icon:first-child path, .tool-head > .icon:first-child rect').count()
  expect(signs).toBe(7)
})

test('[RUN7] a wait for another try counts down, and can be ended', async () => {
  const failed = (attempt: number) => ({
    type: 'step-failed' as const,
    actor: { type: 'engine' as const },
    runId: 'run_1',
    stepId: 'step_2',
    error: { code: 'rate-limit' as const, message: '429 slow down', status: 429 },
    attempt,
  })
  const started = stepStarted('run_1', 'step_2', 'turn')
  scene.line.append([...askedWithCalls(words, []), started, { ...failed(1), retryAt: Date.now() + 30_000 }])
  const page = await scene.open()
  const wait = page.getByTestId('retry-wait')
  await wait.getByText(/^2[0-9] s$/).waitFor()
  await expect.poll(() => wait.innerText()).toContain('Rate limited')
  await expect.poll(() => page.getByTestId('turn').getAttribute('data-state')).toBe('waiting_retry')
  await wait.getByRole('button', { name: 'Stop retrying' }).click()
  await expect.poll(() => scene.line.commands).toMatchObject([{ name: 'stop-run', runId: 'run_1' }])
  scene.line.append([
    stepStarted('run_1', 'step_3', 'turn'),
    { ...failed(2), stepId: 'step_3' },
    runFinished('run_1', 'failed'),
  ])
  await page.getByTestId('error-card').waitFor()
  await expect.poll(() => page.getByTestId('failed-attempt').innerText()).toContain('Attempt 1 failed')
  await expect.poll(() => page.getByTestId('error-card').innerText()).toContain('Rate limited')
  await page.getByText('Technical details').click()
  await expect.poll(() => page.getByTestId('error-card').innerText()).toContain('429 slow down')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect
    .poll(() => scene.line.commands)
    .toMatchObject([{ name: 'stop-run' }, { name: 'rewind', reason: 'retry-after-error' }])
})

test('[RUN8] a turn that reached its limit says so, and goes on by a message that is seen', async () => {
  scene.line.append([
    ...askedWithCalls(words, []),
    {
      type: 'run-finished',
      actor: { type: 'engine' },
      runId: 'run_1',
      outcome: 'limit',
      reason: '50 steps were taken',
    },
  ])
  const page = await scene.open()
  await untilTurn(page, 'limit')
  await expect.poll(() => page.getByTestId('end-caption').innerText()).toMatch(/Limit reached.*50 steps were taken/s)
  await page.getByRole('button', { name: 'Go on' }).click()
  await expect
    .poll(() => scene.line.commands)
    .toMatchObject([{ name: 'send-message', content: [{ type: 'text', text: 'Continue.' }] }])
})

test('[PERM8] the permission mode is changed beside the composer, and every tab shows what holds', async () => {
  scene.line.append(askedWithCalls(words, []))
  const page = await scene.open()
  const picker = page.getByTestId('mode-picker')
  await expect.poll(() => picker.inputValue()).toBe('ask')
  await picker.selectOption('bypass')
  await expect
    .poll(() => scene.line.commands)
    .toMatchObject([{ name: 'change-settings', settings: { permissionMode: 'bypass' } }])
  await expect.poll(() => picker.inputValue()).toBe('bypass')
  const { commandId } = scene.line.commands[0] ?? { commandId: '' }
  const actor = { type: 'person', userId: 'local' } as const
  scene.line.append([{ type: 'settings-changed', actor, commandId, changes: { permissionMode: 'bypass' } }])
  scene.line.append([{ type: 'settings-changed', actor, changes: { permissionMode: 'plan' } }])
  await page.locator('[data-testid=mode-picker][data-state=plan]').waitFor()
})

test('[SEC3] what the model writes runs nothing and loads nothing', async () => {
  const text = [
    '<img src="https://evil.example/a.png" onerror="document.title=1"><script>document.title=2</script>',
    '![a picture](https://evil.example/b.png)',
    `[run](javascript:document.title=3) [in here](/c/other) [home](${scene.holdfast.url}/c/other) [out](https://example.org/x)`,
    '$$\\href{javascript:alert(1)}{x} + \\includegraphics{https://evil.example/c.png}$$',
  ].join('\n\n')
  scene.line.append([conversationCreated('local'), ...wholeTurn(1, { asked: 'try', answered: text })])
  const page = await scene.open()
  await page.getByText('Picture: a picture').waitFor()
  const links = await page
    .getByTestId('msg-assistant')
    .locator('a')
    .evaluateAll((elements) =>
      elements.map((element) => [
        element.getAttribute('href'),
        element.getAttribute('rel'),
        element.getAttribute('target'),
      ]),
    )
  const rel = 'noopener noreferrer nofollow'
  expect(links).toEqual([
    ['https://evil.example/b.png', rel, '_blank'],
    ['https://example.org/x', rel, '_blank'],
  ])
  await expect.poll(() => page.getByTestId('msg-assistant').locator('img, script, iframe').count()).toBe(0)
  await page.locator('math').waitFor()
  await expect.poll(() => page.title()).toContain('Holdfast')
})

test('[PRJ4] a long conversation opens at its end and is read backward, the text in view staying where it is', async () => {
  const turns = Array.from({ length: 400 }, (_, index) =>
    wholeTurn(index, {
      asked: `Question ${index}?`,
      answered: `Answer ${index}. ${'Words of it. '.repeat(index % 40)}`,
    }),
  )
  scene.line.append([conversationCreated('local'), ...turns.flat()])
  const page = await scene.open()
  await page.getByText('Answer 399.').waitFor()
  const thread = page.getByRole('log')
  const first = page.getByTestId('msg-user').filter({ hasText: /Question 0\?/ })
  await expect.poll(() => thread.evaluate((e) => e.scrollHeight - e.clientHeight - e.scrollTop)).toBeLessThan(2)
  await expect.poll(() => page.getByText('Question 300?').count()).toBe(0)
  await expect.poll(() => restsFor(page, 500)).toBe(true)
  await thread.hover()
  const moves: number[] = []
  for (let step = 0; step < 400 && (await first.count()) === 0; step += 1) {
    const before: { question: string; top: number } = await page.evaluate(TOP_QUESTION)
    await page.mouse.wheel(0, -100)
    await page.evaluate(TWO_FRAMES)
    const after = await topOf(page, before.question)
    if (after !== null) moves.push(after - before.top)
    await page.mouse.wheel(0, -2_400)
    await page.evaluate(TWO_FRAMES)
  }
  expect(moves.length).toBeGreaterThan(10)
  expect(Math.max(...moves.map((move) => Math.abs(move - 100)))).toBeLessThanOrEqual(2)
  await first.waitFor()
  await expect.poll(() => page.getByTestId('turn').count()).toBeLessThan(120)
  await page.getByTestId('jump-latest').click()
  await page.getByText('Answer 399.').waitFor()
}, 90_000)

const TWO_FRAMES = 'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))'

/** Whether what is in view stands still for so long: what opens beside it has its place then. */
async function restsFor(page: Page, ms: number): Promise<boolean> {
  const before = await page.evaluate(TOP_QUESTION)
  await page.waitForTimeout(ms)
  return JSON.stringify(await page.evaluate(TOP_QUESTION)) === JSON.stringify(before)
}

/** The first question in view, and where it stands, in pixels from the top of the window. */
const TOP_QUESTION = `(() => {
  const shown = [...document.querySelectorAll('[data-testid=msg-user]')]
  const first = shown.find((element) => element.getBoundingClientRect().y > 150)
  return first && { question: first.querySelector('.words').textContent, top: first.getBoundingClientRect().y }
})()`

function topOf(page: Page, question: string): Promise<number | null> {
  const words = JSON.stringify(question)
  return page.evaluate(`(() => {
    const shown = [...document.querySelectorAll('[data-testid=msg-user]')]
    const same = shown.find((element) => element.querySelector('.words').textContent === ${words})
    return same ? same.getBoundingClientRect().y : null
  })()`)
}

test('[SYNC1] a fragment changes nothing in the page but the paragraph that it belongs to', async () => {
  scene.line.append([...askedWithCalls(words, []), usageRecorded('run_1', 'step_1', { input: 1_200, output: 240 })])
  scene.line.append([stepStarted('run_1', 'step_2', 'turn')])
  const page = await scene.open()
  await page.evaluate(WATCH_CHANGES)
  scene.line.say('step_2', 'First paragraph here.\n\nSecond ')
  await page.getByText('Second').waitFor()
  await page.evaluate('changed.clear()')
  scene.line.say('step_2', 'one goes on')
  await page.getByText('Second one goes on').waitFor()
  const changed: string[] = await page.evaluate('[...changed]')
  expect(changed).toEqual(['Second one g'])
})

test('[UI3] words that have settled stay the elements that they were', async () => {
  scene.line.append([...askedWithCalls(words, [])])
  scene.line.append([stepStarted('run_1', 'step_2', 'turn')])
  const page = await scene.open()
  scene.line.say('step_2', 'First paragraph here.\n\nSecond **one**.')
  await page.getByText('Second').waitFor()
  await page.evaluate(`globalThis.before = [...document.querySelectorAll('.markdown p')].slice(-2)`)
  const text = 'First paragraph here.\n\nSecond **one**.'
  scene.line.append([stepFinished('run_1', 'step_2', [textBlock(text)]), runFinished('run_1', 'completed')])
  await untilTurn(page, 'completed')
  const isSame = `[...document.querySelectorAll('.markdown p')].slice(-2).every((element, index) => element === before[index])`
  await expect.poll(() => page.evaluate(isSame)).toBe(true)
})

/** Keeps in `changed` how the blocks begin in which anything is changed. */
const WATCH_CHANGES = `
  globalThis.changed = new Set()
  new MutationObserver((records) => {
    for (const { target } of records) {
      const element = target instanceof Element ? target : target.parentElement
      changed.add(element?.closest('p, .tools, .slip, .ledger')?.textContent?.slice(0, 12) ?? element?.className ?? '')
    }
  }).observe(document.querySelector('.column'), { subtree: true, childList: true, characterData: true })
`
