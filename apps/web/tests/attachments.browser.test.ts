import type { Page, Route } from 'playwright-core'
import { expect, test } from 'vitest'
import { axeProblems } from './support/axe.ts'
import { say, untilTurn } from './support/browser.ts'
import { liveScene } from './support/live-scene.ts'
import { shots } from './support/shots.ts'

/** A model that is known to see no pictures, at a place where nobody answers. */
const BLIND = {
  type: 'openai-chat',
  id: 'blind',
  baseUrl: 'http://127.0.0.1:9/v1',
  models: [{ id: 'reader', name: 'Reader', images: false }],
}

const scene = liveScene({
  config: { providers: [BLIND], defaultModelId: 'anthropic/claude-sonnet-4-5' },
  reply: { parts: [{ type: 'text', text: 'I see it.' }] },
  // An upload that is refused on purpose.
  forgiven: /status of 503/,
})

/** What the model was sent. */
function sentBodies(): string {
  const messages = scene.provider.requests.filter(({ method }) => method === 'POST')
  return messages.map(({ body }) => JSON.stringify(body)).join('\n')
}

/** Makes a picture in the page, and gives it to the page as a person would. */
function givePicture(page: Page, how: 'paste' | 'drop', sidePx: number): Promise<void> {
  return page.evaluate(`(async () => {
    const canvas = new OffscreenCanvas(${sidePx}, ${sidePx})
    canvas.getContext('2d').fillRect(0, 0, ${sidePx}, 9)
    const bytes = await canvas.convertToBlob({ type: 'image/png' })
    const data = new DataTransfer()
    data.items.add(new File([bytes], 'shot.png', { type: 'image/png' }))
    const field = document.querySelector('#composer-input')
    const seen = { bubbles: true, cancelable: true }
    if ('${how}' === 'paste') field.dispatchEvent(new ClipboardEvent('paste', { ...seen, clipboardData: data }))
    else for (const type of ['dragenter', 'dragover', 'drop']) {
      document.querySelector('.thread').dispatchEvent(new DragEvent(type, { ...seen, dataTransfer: data }))
    }
  })()`)
}

function pasteText(page: Page, text: string): Promise<boolean> {
  return page.evaluate(`(() => {
    const data = new DataTransfer()
    data.setData('text/plain', ${JSON.stringify(text)})
    const event = new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData: data })
    return document.querySelector('#composer-input').dispatchEvent(event)
  })()`)
}

test('[UI11] a pasted picture is a chip with its size and tokens, outlives a reload, is sent and seen', async () => {
  const page = await scene.enter()
  await givePicture(page, 'paste', 300)
  const chip = page.getByTestId('attach-chip')
  await chip.and(page.locator('[data-state=here]')).waitFor()
  await expect.poll(() => chip.innerText()).toMatch(/shot\.png\s+picture · [\d.,]+ (?:kB|bytes?) · ≈ 120 tokens/)
  await page.reload()
  await chip.and(page.locator('[data-state=here]')).waitFor()
  await shots(page, 'attach-chip')
  await say(page, 'What is it?')
  await untilTurn(page, 'completed')
  await expect.poll(() => chip.count()).toBe(0)
  const sent = page.getByTestId('sent-file').locator('img')
  await expect.poll(() => sent.evaluate((image) => 'naturalWidth' in image && image.naturalWidth)).toBe(300)
  await expect.poll(() => sent.getAttribute('alt')).toBe('shot.png')
  expect(sentBodies()).toContain('"media_type":"image/png"')
  await expect.poll(() => axeProblems(page)).toEqual([])
  await page.getByTestId('msg-user').hover()
  await page.getByRole('button', { name: 'Edit message' }).click()
  await page.getByLabel('Edited message').fill('And now?')
  await page.keyboard.press('Enter')
  await page.locator('[data-testid=branch][data-state="2/2"]').waitFor()
  await untilTurn(page, 'completed')
  await expect.poll(() => sent.count()).toBe(1)
  await shots(page, 'attach-sent')
}, 60_000)

test('[UI11] files are dropped anywhere on the conversation, which says so while they are over it', async () => {
  const page = await scene.enter()
  await page.evaluate(`(() => {
    const data = new DataTransfer()
    data.items.add(new File(['a'], 'a.txt', { type: 'text/plain' }))
    const init = { bubbles: true, cancelable: true, dataTransfer: data }
    document.querySelector('.thread').dispatchEvent(new DragEvent('dragenter', init))
  })()`)
  await page.getByTestId('drop-target').getByText('Drop to attach').waitFor()
  const pane = await page.locator('.thread-frame').boundingBox()
  const target = await page.getByTestId('drop-target').boundingBox()
  expect((target?.height ?? 0) > (pane?.height ?? 0) && (target?.width ?? 0) > (pane?.width ?? 0) * 0.9).toBe(true)
  await shots(page, 'attach-drop')
  await givePicture(page, 'drop', 40)
  await page.locator('[data-testid=attach-chip][data-state=here]').waitFor()
  await expect.poll(() => page.getByTestId('drop-target').count()).toBe(0)
  await givePicture(page, 'drop', 40)
  await givePicture(page, 'drop', 41)
  await expect.poll(() => page.locator('[data-testid=attach-chip][data-state=here]').count()).toBe(2)
  await page.getByTestId('composer-input').focus()
  await page.keyboard.press('Backspace')
  await expect.poll(() => page.getByTestId('attach-chip').count()).toBe(1)
  await expect.poll(() => page.evaluate('document.activeElement?.id')).toBe('composer-input')
}, 60_000)

test('[UI11] a long text that is pasted goes along as a file, or into the field on wish', async () => {
  const page = await scene.enter()
  const long = Array.from({ length: 212 }, (_, index) => `line ${index} of the log`).join('\n')
  expect(await pasteText(page, long)).toBe(false)
  const chip = page.getByTestId('attach-chip')
  await expect.poll(() => chip.innerText()).toContain('Pasted text · 212 lines')
  await expect.poll(() => page.getByTestId('composer-input').inputValue()).toBe('')
  await chip.getByRole('button', { name: 'Insert inline' }).click()
  await expect.poll(() => page.getByTestId('composer-input').inputValue()).toBe(long)
  await expect.poll(() => chip.count()).toBe(0)
  expect(await pasteText(page, 'short')).toBe(true)
  await page.getByTestId('composer-input').fill('')
  await pasteText(page, long)
  await chip.and(page.locator('[data-state=here]')).waitFor()
  await say(page, 'Read it')
  await untilTurn(page, 'completed')
  expect(sentBodies()).toContain('line 211 of the log')
  await page.getByTestId('sent-file').getByText('Pasted text, 212 lines.txt').waitFor()
}, 60_000)

test('[UI11] an upload that fails can be tried again; nothing is sent without it', async () => {
  const page = await scene.enter()
  await page.route('**/api/v1/attachments?*', (route) => route.fulfill({ status: 503, body: '{}' }), { times: 1 })
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Attach files' }).click()
  await (await chooser).setFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('of the day') })
  const chip = page.getByTestId('attach-chip')
  await chip.and(page.locator('[data-state=failed]')).waitFor()
  await say(page, 'Read it')
  await expect.poll(() => page.getByTestId('send').getAttribute('title')).toContain('try again')
  expect(sentBodies()).toBe('')
  await chip.getByRole('button', { name: 'Retry notes.txt' }).click()
  await chip.and(page.locator('[data-state=here]')).waitFor()
  await page.getByTestId('composer-input').press('Enter')
  await untilTurn(page, 'completed')
  expect(sentBodies()).toContain('of the day')
}, 60_000)

test('[UI11] a model that sees no pictures says so before anything is sent', async () => {
  const page = await scene.enter()
  await page.getByTestId('model-picker').selectOption('blind/reader')
  await givePicture(page, 'paste', 60)
  await page.getByTestId('unseen-pictures').getByText('This model can’t see pictures.').waitFor()
  await page.locator('[data-testid=attach-chip][data-state=here]').waitFor()
  await shots(page, 'attach-unseen')
  await say(page, 'What is it?')
  await expect.poll(() => page.getByTestId('turn').count()).toBe(0)
  await page.getByTestId('unseen-pictures').getByRole('button', { name: 'Remove pictures' }).click()
  await expect.poll(() => page.getByTestId('unseen-pictures').count()).toBe(0)
  await expect.poll(() => page.getByTestId('send').getAttribute('aria-disabled')).toBe('false')
}, 60_000)

test('[UI11] a file that is empty is refused beside the field, until the message is sent', async () => {
  const page = await scene.enter()
  const choose = page.locator('.composer input[type=file]')
  await choose.setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.alloc(0) })
  const refusal = page.locator('.composer').getByTestId('not-attached')
  await expect.poll(() => refusal.allInnerTexts()).toEqual(['notes.txt is not attached: it is empty.'])
  expect(await page.locator('.toast').count()).toBe(0)
  await say(page, 'Without it, then.')
  await untilTurn(page, 'completed')
  expect(await refusal.count()).toBe(0)
}, 60_000)

test('[UI49] what is sent while a file is on its way goes when it is there, and Esc takes it back', async () => {
  const page = await scene.enter()
  await page.getByRole('button', { name: 'New conversation' }).first().click()
  const held: Route[] = []
  await page.route('**/api/v1/attachments?*', (route) => void held.push(route))
  const field = page.getByTestId('composer-input')
  await givePicture(page, 'paste', 200)
  await field.fill('What is on it?')
  await expect.poll(() => held.length).toBe(1)
  const later = page.getByTestId('sent-later')
  await field.press('Enter')
  await later.waitFor()
  await shots(page, 'sent-later')
  expect(await later.innerText()).toMatch(/Sends as soon as the files are uploaded/)
  await field.press('Escape')
  await later.waitFor({ state: 'detached' })
  await field.press('Enter')
  await later.waitFor()
  await field.press('End')
  await field.pressSequentially('!')
  await later.waitFor({ state: 'detached' })
  expect(await page.getByTestId('msg-user').count()).toBe(0)
  await field.press('Enter')
  await later.waitFor()
  await held[0]?.continue()
  await page.getByTestId('msg-user').getByText('What is on it?!').waitFor()
  await untilTurn(page, 'completed')
  expect(await field.inputValue()).toBe('')
  expect(await page.getByTestId('attach-chip').count()).toBe(0)
})
