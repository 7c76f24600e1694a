import { conversationCreated, wholeTurn } from '@holdfast/conversation/testing'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { axeProblems } from './support/axe.ts'
import { openPage } from './support/browser.ts'
import { SCRIPTED_ID } from './support/scripted-line.ts'
import { scriptedScene } from './support/scripted-scene.ts'

const scene = scriptedScene()

/** 16 characters, so many times that it is over the 1,000,000 of a message. */
const TOO_LONG = { line: 'a line of words\\n', times: 62_501, length: 1_000_016 }

/** The clipboard's way: what is pasted is a file first, and goes into the field on wish. */
async function pasteTooLong(page: Page): Promise<void> {
  await page.getByTestId('composer-input').waitFor()
  await page.evaluate(`(() => {
    const data = new DataTransfer()
    data.setData('text/plain', '${TOO_LONG.line}'.repeat(${TOO_LONG.times}))
    const event = new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData: data })
    document.querySelector('#composer-input').dispatchEvent(event)
  })()`)
  await page.getByRole('button', { name: 'Insert inline' }).click()
  await page.getByText('A message has at most 1,000,000 characters.').waitFor()
}

const writtenLength = (page: Page) => page.evaluate("document.querySelector('#composer-input').value.length")

/** What the page asks the server to keep of the composer. */
function keptAsked(page: Page): readonly string[] {
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'PUT') asked.push(new URL(request.url()).pathname)
  })
  return asked
}

async function openTurn(): Promise<Page> {
  scene.line.append([conversationCreated('local'), ...wholeTurn(0, { asked: 'First?', answered: 'One.' })])
  return scene.open()
}

test('[SYNC8] a message that is too long stays in the field over a reload, and goes along as a file', async () => {
  const page = await openTurn()
  const asked = keptAsked(page)
  await pasteTooLong(page)
  await page.getByTestId('composer-input').press('Enter')
  await expect.poll(() => writtenLength(page)).toBe(TOO_LONG.length)
  await page.reload()
  await expect.poll(() => writtenLength(page)).toBe(TOO_LONG.length)
  await page.getByRole('button', { name: 'Attach the words as a file' }).click()
  await expect.poll(() => writtenLength(page)).toBe(0)
  await page.locator('[data-testid=attach-chip][data-state=here]').waitFor()
  expect(scene.line.commands).toEqual([])
  expect(asked.filter((path) => path.endsWith('/composer'))).toEqual([])
}, 60_000)

test('[SYNC8] no conversation is made for a first message that is too long, and others of the tab can send', async () => {
  const { page } = await openPage(scene.context, `${scene.holdfast.url}/`)
  await pasteTooLong(page)
  await page.getByTestId('composer-input').press('Enter')
  await expect.poll(() => writtenLength(page)).toBe(TOO_LONG.length)
  expect(new URL(page.url()).pathname).toBe('/')
  scene.line.append([conversationCreated('local'), ...wholeTurn(0, { asked: 'First?', answered: 'One.' })])
  await page.goto(`${scene.holdfast.url}/c/${SCRIPTED_ID}`)
  await page.getByTestId('turn').first().waitFor()
  await page.getByTestId('composer-input').fill('Second?')
  await page.getByTestId('composer-input').press('Enter')
  await expect.poll(() => scene.line.commands.map(({ name }) => name)).toEqual(['send-message'])
}, 60_000)

test('[UI1] an answer that was cut behind the mark of a heading has no heading without words', async () => {
  scene.line.append([conversationCreated('local'), ...wholeTurn(0, { asked: 'First?', answered: 'One.\n\n## ' })])
  const page = await scene.open()
  await page.getByText('One.').waitFor()
  expect(await page.getByRole('heading').allTextContents()).not.toContain('')
  await expect.poll(() => axeProblems(page)).toEqual([])
})
