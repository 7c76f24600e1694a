import type { CanvasOperation, ElementContent } from '@holdfast/conversation'
import { conversationCreated, wholeTurn } from '@holdfast/conversation/testing'
import { expect, test } from 'vitest'
import { axeProblems } from './support/axe.ts'
import { scriptedScene } from './support/scripted-scene.ts'
import { shots } from './support/shots.ts'

const scene = scriptedScene()

/** A picture of one green point. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** A tenth of a second of silence. */
function silence(): Buffer {
  const samples = Buffer.alloc(1_600)
  const head = Buffer.alloc(44)
  head.write('RIFF', 0)
  head.writeUInt32LE(36 + samples.length, 4)
  head.write('WAVEfmt ', 8)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(8_000, 24)
  head.writeUInt32LE(16_000, 28)
  head.writeUInt16LE(2, 32)
  head.writeUInt16LE(16, 34)
  head.write('data', 36)
  head.writeUInt32LE(samples.length, 40)
  return Buffer.concat([head, samples])
}

const MEDIA: readonly ElementContent[] = [
  { type: 'media', title: 'A tree', kind: 'image', url: 'https://trees.example/a.png', description: 'An old walnut' },
  { type: 'media', title: 'A song', kind: 'audio', attachmentId: 'upload_1', description: '' },
  { type: 'media', title: 'A film', kind: 'video', url: 'https://films.example/a.mp4', description: '' },
]

test('[SEC3, CANVAS8] what stands elsewhere is loaded after a press that names its host, what is here at once', async () => {
  const asked: string[] = []
  await scene.context.route(/\/(?:canvas\/[^/]+\/media|attachments\/)/, async (route) => {
    const { pathname } = new URL(route.request().url())
    asked.push(pathname.split('/').slice(-2).join('/'))
    if (pathname.includes('attachments')) return route.fulfill({ contentType: 'audio/wav', body: silence() })
    if (pathname.includes('element-0')) return route.fulfill({ contentType: 'image/png', body: PNG })
    return route.abort()
  })
  const operations = MEDIA.map(
    (content, index): CanvasOperation => ({
      type: 'add-element',
      elementId: `element-${index}`,
      number: index + 1,
      content,
    }),
  )
  const actor = { type: 'engine' } as const
  scene.line.append([
    conversationCreated('local'),
    ...wholeTurn(1, { asked: 'Show me', answered: 'Here' }),
    { type: 'canvas-changed', actor, agentId: 'default', operations, version: 1 },
  ])
  const page = await scene.open()
  await page.getByRole('button', { name: /^Canvas/ }).click()
  const element = (index: number) => page.locator(`[data-testid=canvas-el][data-id=element-${index}]`)
  await element(1).locator('audio').waitFor()
  await expect.poll(() => asked).toContain('attachments/upload_1')
  expect(asked.filter((path) => path.endsWith('media'))).toEqual([])

  await element(0).getByRole('button', { name: 'Load the picture from trees.example' }).click()
  await expect.poll(() => element(0).getByRole('img', { name: 'An old walnut' }).evaluate(widthOf)).toBe(1)
  await element(2).getByRole('button', { name: 'Load the film from films.example' }).waitFor()
  expect(asked.filter((path) => path.endsWith('media')).every((path) => path === 'element-0/media')).toBe(true)
  await expect.poll(() => axeProblems(page)).toEqual([])
  await shots(page, 'canvas-media')
}, 60_000)

function widthOf(element: Element): number {
  return element instanceof HTMLImageElement ? element.naturalWidth : 0
}
