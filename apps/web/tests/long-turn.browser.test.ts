import type { NewEntry } from '@holdfast/conversation'
import { runFinished, stepFinished, stepStarted, textBlock, toolCallBlock } from '@holdfast/conversation/testing'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPage, untilTurn } from './support/browser.ts'
import { SCRIPTED_ID } from './support/scripted-line.ts'
import { scriptedScene } from './support/scripted-scene.ts'
import { askedWithCalls, asking, begun, ended } from './support/told-turns.ts'

const scene = scriptedScene()

const first = { callId: 'call_0', name: 'search' }

/** A turn that has called tools one after the other, in so many steps of four entries and more. */
function longTurn(steps: number): NewEntry[] {
  const more = Array.from({ length: steps }, (_, index) => {
    const stepId = `step_more_${index}`
    return [
      stepStarted('run_1', stepId, 'turn'),
      stepFinished('run_1', stepId, [textBlock(`Place ${index} is empty.`)]),
    ]
  })
  return [
    ...askedWithCalls({ asked: 'Look in every place.', answered: 'I begin.' }, [
      { callId: first.callId, name: first.name, input: { pattern: 'x' } },
    ]),
    begun(first.callId, first.name),
    ended(first, 'ok', { text: 'nothing', durationMs: 10 }),
    ...more.flat(),
  ]
}

function askedAtEnd(): NewEntry[] {
  return [
    stepStarted('run_1', 'step_end', 'turn'),
    stepFinished('run_1', 'step_end', [toolCallBlock('call_end', 'shell')]),
    Object.assign(asking('request_1', { callId: 'call_end', tool: 'shell', input: { command: 'ls' } }, 'Look'), {
      stepId: 'step_end',
    }),
  ]
}

/** What a person sees of the conversation. The script of a question is read when the first one is asked. */
async function seenIn(page: Page, isAsked: boolean) {
  await page.getByText('Place 2499 is empty.').or(page.getByText('Place 69 is empty.')).first().waitFor()
  if (isAsked) await page.getByRole('button', { name: 'Allow once' }).first().waitFor()
  return {
    title: await page.locator('h1').first().innerText(),
    asked: await page.getByTestId('msg-user').count(),
    cards: await page.getByRole('button', { name: 'Allow once' }).count(),
  }
}

for (const { steps, name, end } of [
  { steps: 70, name: 'finished', end: [runFinished('run_1', 'completed')] },
  { steps: 70, name: 'waiting for permission', end: askedAtEnd() },
  { steps: 70, name: 'running', end: [stepStarted('run_1', 'step_end', 'turn')] },
  { steps: 2_500, name: 'waiting for permission', end: askedAtEnd() },
]) {
  test(`[SYNC7] a turn of ${steps} steps, ${name}, is drawn after a reload and in a second tab`, async () => {
    scene.line.append(longTurn(steps))
    scene.line.append(end)
    const page = await scene.open()
    const isAsked = name === 'waiting for permission'
    const shown = await seenIn(page, isAsked)
    expect(shown).toEqual({ title: 'Look in every place.', asked: 1, cards: isAsked ? 1 : 0 })
    await page.reload()
    expect(await seenIn(page, isAsked)).toEqual(shown)
    const { page: other } = await openPage(scene.context, `${scene.holdfast.url}/c/${SCRIPTED_ID}`)
    expect(await seenIn(other, isAsked)).toEqual(shown)
    if (name === 'finished') await untilTurn(other, 'completed')
  }, 60_000)
}
