import { describe, expect, test } from 'vitest'
import { say } from './support/browser.ts'
import { liveScene } from './support/live-scene.ts'
import { shots } from './support/shots.ts'

const NOTE = Array.from({ length: 12 }, (_, index) => `line ${index + 1}`)

const ASKED: Readonly<Record<string, { readonly name: string; readonly input: unknown }>> = {
  'write it': { name: 'write', input: { path: 'note.txt', content: NOTE.with(5, 'a new sixth line').join('\n') } },
  'edit it': { name: 'edit', input: { path: 'note.txt', old_text: 'line 8', new_text: 'line eight' } },
  'run it': { name: 'shell', input: { command: 'ls -la | head -3' } },
  'fetch it': { name: 'fetch_page', input: { url: 'https://example.org/path/page?query=1' } },
}

describe('what asks for permission', () => {
  const scene = liveScene({
    workspace: { 'note.txt': NOTE.join('\n') },
    reply: ({ body }) => {
      const messages = JSON.stringify(body['messages'])
      if (messages.includes('<title-request>')) return { parts: [{ type: 'text', text: 'A title' }] }
      const words = Object.keys(ASKED).findLast((known) => messages.includes(known))
      const asked = words === undefined ? undefined : ASKED[words]
      return asked && !messages.includes('tool_result')
        ? { parts: [{ type: 'tool-call', ...asked }] }
        : { parts: [{ type: 'text', text: 'Done.' }] }
    },
  })

  test('[UI17] a change is a diff with the lines of the file, its arguments behind a fold', async () => {
    const page = await scene.enter()
    await say(page, 'write it')
    const card = page.getByTestId('permission-card')
    await expect.poll(() => card.innerText()).toContain('Write the file note.txt')
    await expect.poll(() => card.locator('.change-count').innerText()).toBe('+1 −1')
    await expect.poll(() => card.locator('.diff-line.added').innerText()).toContain('a new sixth line')
    await expect.poll(() => card.locator('.diff-line.removed').innerText()).toContain('6')
    expect(await card.innerText()).not.toContain('mode ask')
    expect(await card.innerText()).not.toContain('content:')
    await shots(page, 'ask-write')
    await card.getByText('All arguments').click()
    await expect.poll(() => card.innerText()).toContain('content:')
  }, 60_000)

  test('[UI17] an edit has the numbers of its lines', async () => {
    const page = await scene.enter()
    await say(page, 'edit it')
    const card = page.getByTestId('permission-card')
    await expect.poll(() => card.innerText()).toContain('Change note.txt')
    await expect.poll(() => card.locator('.diff-line.removed .diff-number').innerText()).toBe('8')
  }, 60_000)

  test('[UI17] a command stands there with its folder, a page with its host', async () => {
    const page = await scene.enter()
    await say(page, 'run it')
    const card = page.getByTestId('permission-card')
    await expect.poll(() => card.innerText()).toContain('Run a command')
    await expect.poll(() => card.innerText()).toContain(scene.folder)
    await expect.poll(() => card.locator('pre').innerText()).toBe('ls -la | head -3')
    await shots(page, 'ask-command')
    await page.getByRole('button', { name: 'New conversation' }).click()
    await say(page, 'fetch it')
    await expect.poll(() => card.innerText()).toContain('Fetch a page from example.org')
    await shots(page, 'ask-page')
  }, 60_000)
})
