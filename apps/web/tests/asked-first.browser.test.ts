import { describe, expect, test } from 'vitest'
import { say } from './support/browser.ts'
import { liveScene } from './support/live-scene.ts'
import { type Acts, scriptedAgent } from './support/scripted-agent.ts'
import { shots } from './support/shots.ts'

const NOTE = Array.from({ length: 12 }, (_, index) => `line ${index + 1}`)

const call = (name: string, input: unknown) => [[{ type: 'tool-call', name, input } as const]]

/** The part that the agent plays. */
const ACTS: Acts = {
  'Write it': call('write', { path: 'note.txt', content: NOTE.with(5, 'a new sixth line').join('\n') }),
  'Edit it': call('edit', { path: 'note.txt', old_text: 'line 8', new_text: 'line eight' }),
  'Run it': call('shell', { command: 'ls -la | head -3' }),
  'Fetch it': call('fetch_page', { url: 'https://example.org/path/page?query=1' }),
}

describe('what asks for permission', () => {
  const scene = liveScene({ workspace: { 'note.txt': NOTE.join('\n') }, reply: scriptedAgent(ACTS) })

  test('[UI17] a change is a diff with the lines of the file, its arguments behind a fold', async () => {
    const page = await scene.enter()
    await say(page, 'Write it')
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
    await say(page, 'Edit it')
    const card = page.getByTestId('permission-card')
    await expect.poll(() => card.innerText()).toContain('Change note.txt')
    await expect.poll(() => card.locator('.diff-line.removed .diff-number').innerText()).toBe('8')
  }, 60_000)

  test('[UI17] a command stands there with its folder, a page with its host', async () => {
    const page = await scene.enter()
    await say(page, 'Run it')
    const card = page.getByTestId('permission-card')
    await expect.poll(() => card.innerText()).toContain('Run a command')
    await expect.poll(() => card.innerText()).toContain(scene.folder)
    await expect.poll(() => card.locator('pre').innerText()).toBe('ls -la | head -3')
    await shots(page, 'ask-command')
    await page.getByRole('button', { name: 'New conversation' }).click()
    await say(page, 'Fetch it')
    await expect.poll(() => card.innerText()).toContain('Fetch a page from example.org')
    await shots(page, 'ask-page')
  }, 60_000)
})
