import type { CanvasOperation, ElementContent } from '@holdfast/conversation'
import { conversationCreated, wholeTurn } from '@holdfast/conversation/testing'
import { expect, test } from 'vitest'
import { scriptedScene } from './support/scripted-scene.ts'

const scene = scriptedScene()

const PAYLOADS = [
  '<script>document.title="pwned"</script>',
  '<img src=x onerror="document.title=\'pwned\'">',
  '[a](javascript:document.title="pwned")',
  '"><svg onload=document.title="pwned">',
  '![x](https://evil.invalid/leak.png)',
] as const

/** The same text in every field that takes one. */
function everywhere(text: string): readonly ElementContent[] {
  const title = text
  return [
    { type: 'card', title, body: text, figure: text.slice(0, 40), tone: 'bad' },
    { type: 'text', title, body: text },
    { type: 'chart', title, kind: 'line', labels: [text, text], series: [{ name: text, values: [1, 2] }], unit: '<b>' },
    { type: 'chart', title, kind: 'pie', labels: [text, text], series: [{ name: text, values: [1, 2] }] },
    { type: 'table', title, columns: [{ name: text, kind: 'text' }], rows: [[text]] },
    { type: 'media', title, kind: 'image', url: 'https://evil.invalid/a.png', description: text },
    { type: 'progress', title, value: 1, maximum: 2, caption: text },
    { type: 'timer', title, startedAt: 0, endsAt: 1 },
    { type: 'checklist', title, items: [{ id: 'a', text, checked: false, byPerson: false }] },
    {
      type: 'form',
      title,
      body: text,
      submitLabel: text.slice(0, 40),
      answer: null,
      fields: [{ name: 'a', label: text, kind: 'choice', choices: [text], required: false }],
    },
    {
      type: 'confirmation',
      title,
      body: text,
      answer: null,
      choices: [{ id: 'a', label: text.slice(0, 60), style: 'destructive' }],
    },
  ]
}

test('[SEC3, CANVAS4] script in every field of every kind runs nothing and loads nothing', async () => {
  const operations = PAYLOADS.flatMap(everywhere).map((content, index): CanvasOperation => {
    return { type: 'add-element', elementId: `element-${index}`, number: index + 1, content }
  })
  const actor = { type: 'engine' } as const
  scene.line.append([
    conversationCreated('local'),
    ...wholeTurn(1, { asked: 'Draw', answered: 'Drawn' }),
    { type: 'canvas-changed', actor, agentId: 'default', operations, version: 1 },
  ])
  const page = await scene.open()
  await page.getByRole('button', { name: /^Canvas/ }).click()
  await expect.poll(() => page.getByTestId('canvas-el').count()).toBe(operations.length)
  for (const element of await page.getByTestId('canvas-el').all()) await element.scrollIntoViewIfNeeded()
  await page.getByRole('button', { name: 'What the model sees' }).click()
  await page.getByTestId('canvas-summary').waitFor()
  await expect.poll(() => page.title()).not.toContain('pwned')
  await expect
    .poll(() => page.locator('.canvas script, .canvas img, .canvas iframe, .canvas a[href^="javascript"]').count())
    .toBe(0)
  const notify = { type: 'notify', text: PAYLOADS[0], tone: 'bad' } as const
  scene.line.append([{ type: 'canvas-changed', actor, agentId: 'default', operations: [notify], version: 2 }])
  await page.getByTestId('canvas-toast').getByText(PAYLOADS[0]).waitFor()
  await expect.poll(() => page.title()).not.toContain('pwned')
}, 60_000)
