import { conversationCreated, wholeTurn } from '@holdfast/conversation/testing'
import { expect, test } from 'vitest'
import { scriptedScene } from './support/scripted-scene.ts'

const scene = scriptedScene()

/** A conversation of many turns, with the view at its first. */
async function atFirst() {
  const turns = Array.from({ length: 30 }, (_, index) =>
    wholeTurn(index, { asked: `Question ${index}?`, answered: 'Words of an answer. '.repeat(60) }),
  )
  scene.line.append([conversationCreated('local'), ...turns.flat()])
  const page = await scene.open()
  const first = page.getByTestId('msg-user').filter({ hasText: 'Question 0?' })
  await page.evaluate("document.querySelector('.thread').scrollTop = 0")
  await first.getByRole('button', { name: 'Edit message' }).waitFor()
  return { page, first }
}

test('[UI12] a press counts while the view still moves a little', async () => {
  const { page, first } = await atFirst()
  await first.getByRole('button', { name: 'Edit message' }).hover()
  await page.mouse.down()
  // The press ends on the same button, which has moved by two pixels.
  await page.evaluate(`(async () => {
    document.querySelector('.thread').scrollTop += 2
    for (let frame = 0; frame < 3; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve))
  })()`)
  await page.mouse.up()
  await page.getByLabel('Edited message').waitFor()
})

test('[UI12] a message that is being written anew keeps its words while the view moves away and comes back', async () => {
  const { page, first } = await atFirst()
  await first.getByRole('button', { name: 'Edit message' }).click()
  const field = page.getByLabel('Edited message')
  await field.fill('Question 0, in other words?')
  await page.evaluate("document.querySelector('.thread').dispatchEvent(new WheelEvent('wheel', { deltaY: 1 }))")
  // Rows above the view are taken out of the page while it moves down.
  const isThere = await page.evaluate(`(async () => {
    const view = document.querySelector('.thread')
    const seen = new Set()
    for (let frame = 0; frame < 30; frame += 1) {
      view.scrollTop += 400
      await new Promise((resolve) => requestAnimationFrame(resolve))
      seen.add(document.querySelector('.edit-message textarea')?.value ?? null)
    }
    return [...seen]
  })()`)
  expect(isThere).toEqual(['Question 0, in other words?'])
  await page.evaluate("document.querySelector('.thread').scrollTop = 0")
  await expect.poll(() => field.inputValue()).toBe('Question 0, in other words?')
})
