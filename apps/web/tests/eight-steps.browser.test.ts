import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Reply, ReplyPart } from '@holdfast/conformance'
import { expect, test } from 'vitest'
import { say, untilTurn } from './support/browser.ts'
import { liveScene } from './support/live-scene.ts'

/** It runs longer than anybody waits, under a name that nothing else has. */
const MARK = `holdfast-eight-steps-${process.pid}`
const COMMAND = `echo counting; sleep 600; echo ${MARK}`

const scene = liveScene({
  workspace: { 'readings.csv': 'day,level\n1,4.2\n2,4.9\n' },
  reply: ({ body }) => replyTo(JSON.stringify(body['messages'])),
})

/** What an agent would do: read, then count by a command; asked once more, it tells what it has seen of before. */
function replyTo(messages: string): Reply {
  const text = (words: string): ReplyPart => ({ type: 'text', text: words })
  if (messages.includes('What came before?')) return { parts: [text('Before this you stopped the count.')] }
  if (!messages.includes('Analyse the readings')) return { parts: [text('Readings')] }
  if (!messages.includes('4.9'))
    return {
      parts: [text('First the file.'), { type: 'tool-call', name: 'read', input: { path: 'readings.csv' } }],
    }
  return { parts: [text('Now the count.'), { type: 'tool-call', name: 'shell', input: { command: COMMAND } }] }
}

test('[STOP5, STOP7, PERM8] a turn with tools is let go on without asking, stopped while a command runs, and goes on knowing what came before', async () => {
  const page = await scene.enter()

  await say(page, 'Analyse the readings of this folder')
  await page.getByTestId('permission-card').waitFor()
  await expect.poll(() => page.getByTestId('permission-card').innerText()).toContain('sleep 600')

  await page.getByTestId('mode-picker').selectOption('bypass')
  await page.locator('[data-testid=tool-card][data-state=running]').waitFor()
  await expect.poll(() => page.getByTestId('permission-card').count()).toBe(0)
  await expect.poll(processesOfCommand, { timeout: 20_000 }).not.toEqual([])

  await page.getByTestId('stop').press('Enter')
  await untilTurn(page, 'stopped')
  await page.locator('[data-testid=tool-card][data-state=aborted]').waitFor()
  await expect.poll(processesOfCommand, { timeout: 20_000 }).toEqual([])
  await expect.poll(() => page.getByTestId('end-caption').innerText()).toContain('Stopped by you')
  for (const warning of ['[data-testid=error-card]', '[data-severity=warning]', '.refused', '[data-tone=problem]'])
    await expect.poll(() => page.locator(warning).count()).toBe(0)

  await say(page, 'What came before?')
  await page.getByText('Before this you stopped the count.').waitFor()
  await untilTurn(page, 'completed')
  const sent = scene.provider.requests.findLast(({ body }) => JSON.stringify(body).includes('What came before?'))
  const words = JSON.stringify(sent?.body)
  for (const known of ['Analyse the readings', '4.9', 'sleep 600', 'Now the count.']) expect(words).toContain(known)
  expect(words).toMatch(/abort|stopped/i)
}, 90_000)

/** The processes that have the command in their arguments: its shell, and what holds it. */
async function processesOfCommand(): Promise<readonly string[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const found = await Promise.all(
    ids.map(async (id) => {
      // One that has ended meanwhile has no arguments any more.
      const line = await readFile(join('/proc', id, 'cmdline'), 'utf8').catch(() => '')
      return line.includes(MARK) ? [id] : []
    }),
  )
  return found.flat()
}
