import type { Reply, SeenRequest } from '@holdfast/conformance'
import type { Entry, NewEntry } from '@holdfast/conversation'
import { placeEntry } from '@holdfast/conversation'
import { wholeTurn } from '@holdfast/conversation/testing'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { axeProblems } from './support/axe.ts'
import { say, untilTurn } from './support/browser.ts'
import { liveScene } from './support/live-scene.ts'
import { shots } from './support/shots.ts'

const AGENTS = { agents: [{ id: 'second', name: 'Second', settings: {} }] }
const MESSAGES_LATER = 300

const scene = liveScene({ config: AGENTS, reply })

/** What the model behind the provider does: it draws when it is asked to, at a rate at which that is seen. */
function reply({ body }: SeenRequest): Reply {
  const messages = Array.isArray(body['messages']) ? body['messages'] : []
  const last = JSON.stringify(messages.at(-1) ?? '')
  if (!last.includes('Draw the') || last.includes('-request>'))
    return { parts: [{ type: 'text', text: 'As you say.' }] }
  return { parts: last.includes('Draw the second') ? SECOND : DASHBOARD, deltasPerSecond: 25, chunkChars: 16 }
}

function draw(name: string, input: object) {
  return { type: 'tool-call', name, input } as const
}

const SECOND = [draw('canvas_add_card', { title: 'Of the second agent' })]
const DASHBOARD = [
  { type: 'text', text: 'Here is the dashboard, as far as it is known.' } as const,
  draw('canvas_add_card', { title: 'Signups today', figure: '1,204', body: 'More than yesterday.', tone: 'good' }),
  draw('canvas_show_chart', {
    title: 'Signups by day',
    kind: 'bar',
    labels: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'],
    series: [
      { name: 'Finished', values: [820, 932, 901, 1_034, 1_290, 1_330, 1_204] },
      { name: 'Given up', values: [120, 132, 101, 134, 90, 230, 210] },
    ],
  }),
  draw('canvas_show_table', {
    title: 'By country',
    columns: ['Country', { name: 'Signups', kind: 'number' }],
    rows: Array.from({ length: 40 }, (_, index) => [`Country ${index + 1}`, (index * 37) % 101]),
  }),
  draw('canvas_show_form', {
    title: 'What is next?',
    fields: [
      { name: 'owner', label: 'Who looks after it?', kind: 'text', required: true },
      { name: 'report', label: 'Send a report each week', kind: 'toggle' },
    ],
  }),
]

/** How far the composer's button stands out of its frame beside the canvas, in pixels. */
function overflowOf(page: Page): Promise<number> {
  return page.getByTestId('send').evaluate((button) => {
    const frame = button.closest('form')
    return frame ? button.getBoundingClientRect().right - frame.getBoundingClientRect().right : 9_999
  })
}

function elements(page: Page) {
  return expect.poll(() => page.getByTestId('canvas-el').evaluateAll((all) => all.map((one) => one.dataset['id'])))
}

const ALL = ['card-1', 'chart-2', 'table-3', 'form-4']

/** The newest request of a turn that the provider received, as text. */
function received(): string {
  const bodies = scene.provider.requests.flatMap(({ operation, body }) =>
    operation === 'stream' ? [JSON.stringify(body)] : [],
  )
  return bodies.findLast((body) => !body.includes('-request>')) ?? ''
}

async function api(method: string, path: string, body?: string, type = 'application/json'): Promise<unknown> {
  const headers = {
    authorization: `Bearer ${scene.holdfast.token}`,
    ...(body === undefined ? {} : { 'content-type': type }),
  }
  const answer = await fetch(`${scene.holdfast.url}/api/v1${path}`, { method, headers, ...(body ? { body } : {}) })
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
  return answer.json()
}

/** In the order in which it is written: what a file is stands first in it. */
const Exported = z.object({
  format: z.string(),
  version: z.number(),
  conversationId: z.string(),
  records: z.array(z.object({ entry: z.looseObject({ seq: z.number(), at: z.number() }) })),
})
const ImportState = z.looseObject({ state: z.string(), conversationIds: z.array(z.string()) })

/** The conversation as it would be so many messages later: it goes out as a file, grows there and comes in again. */
async function muchLater(conversationId: string): Promise<string> {
  const exported = Exported.parse(await api('GET', `/conversations/${conversationId}/export?format=json`))
  const last = exported.records.at(-1)?.entry ?? { seq: 0, at: 0 }
  const more = Array.from({ length: MESSAGES_LATER / 2 }, (_, index): NewEntry[] =>
    wholeTurn(1_000 + index, {
      asked: `Question ${index + 1}?`,
      answered: `Answer ${index + 1}. ${'Words. '.repeat(20)}`,
    }),
  ).flat()
  const added = more.map((entry, index): { readonly entry: Entry } => ({
    entry: placeEntry(entry, { conversationId, seq: last.seq + index + 1, at: last.at + index }),
  }))
  const file = JSON.stringify({ ...exported, records: [...exported.records, ...added] })
  const begun = z
    .looseObject({ id: z.string() })
    .parse(await api(...(['POST', '/import?name=later.json', file] as const), 'application/octet-stream'))
  const read = async () => ImportState.parse(await api('GET', `/imports/${begun.id}?waitMs=1000`))
  await expect.poll(read, { timeout: 30_000 }).toMatchObject({ state: 'finished' })
  return (await read()).conversationIds[0] ?? ''
}

test('[CANVAS2, CANVAS3, CANVAS6] a dashboard outlives a reload, a restart, 300 messages and a checkpoint; a form is answered in another tab; each agent keeps its own', async () => {
  const page = await scene.enter()
  await page.getByTestId('agent-picker').waitFor()
  await say(page, 'Draw the dashboard')
  await page.getByTestId('canvas-drawing').first().waitFor()
  await untilTurn(page, 'completed')
  await elements(page).toEqual(ALL)
  await expect.poll(() => page.getByTestId('canvas-drawing').count()).toBe(0)
  await shots(page, 'showing-dashboard')
  await expect.poll(() => overflowOf(page)).toBeLessThanOrEqual(0)
  await expect.poll(() => axeProblems(page)).toEqual([])

  await page.reload()
  await elements(page).toEqual(ALL)
  await scene.startAnew(async () => {})
  await elements(page).toEqual(ALL)
  const other = await scene.openTab(page.url())
  await elements(other).toEqual(ALL)

  const form = other.locator('[data-testid=canvas-el][data-id=form-4]')
  await form.getByLabel('Who looks after it?').fill('Ann of Accounts')
  await form.getByRole('button', { name: 'Send' }).click()
  await page.locator('[data-testid=canvas-el][data-id=form-4]').getByText('Ann of Accounts').waitFor()
  await expect.poll(() => page.getByTestId('turn').count()).toBe(2)
  await untilTurn(page, 'completed')
  await expect.poll(() => received()).toContain('Ann of Accounts')

  const conversationId = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  const laterId = await muchLater(conversationId)
  await page.goto(page.url().replace(conversationId, laterId))
  await elements(page).toEqual(ALL)
  await expect.poll(() => page.getByText('Answer 150.').count()).toBeGreaterThan(0)
  await say(page, 'Still there?')
  await untilTurn(page, 'completed')
  await expect.poll(() => received()).toMatch(/Still there\?.*Canvas, version|Canvas, version.*Still there\?/)
  expect(received()).toContain('chart-2 &quot;Signups by day&quot;')
  expect(received()).toContain('answered {&quot;owner&quot;:&quot;Ann of Accounts&quot;')

  await page.getByTestId('dock-tab-inspector').click()
  await page.getByRole('button', { name: 'Summarise', exact: true }).click()
  await page.getByRole('heading', { name: 'Summary checkpoint' }).waitFor()
  await page.getByRole('button', { name: 'Show the exact request' }).click()
  const next = page.getByTestId('request-view')
  await expect.poll(() => next.innerText()).toContain('stands for what is before it')
  await expect.poll(() => next.textContent()).toContain('chart-2 &quot;Signups by day&quot;')
  await shots(page, 'showing-next-request')
  await say(page, 'And after the summary?')
  await expect.poll(() => received()).toContain('And after the summary?')
  expect(received()).toContain('chart-2 &quot;Signups by day&quot;')
  expect(received()).not.toContain('Answer 100.')
  expect(received().split('Canvas, version').length - 1).toBe(1)
  await untilTurn(page, 'completed')

  await page.getByTestId('dock-tab-canvas').click()
  await elements(page).toEqual(ALL)
  await page.getByTestId('agent-picker').selectOption({ label: 'Second' })
  const price = page.getByTestId('switch-price')
  await price.getByRole('button', { name: 'Switch' }).click()
  await page.getByText('The canvas is clear.').waitFor()
  await say(page, 'Draw the second')
  await elements(page).toEqual(['card-1'])
  await untilTurn(page, 'completed')
  expect(received()).not.toContain('Signups by day&quot;: bar')
  await shots(page, 'showing-second-agent')
  await page.getByTestId('agent-picker').selectOption({ label: 'Holdfast' })
  await price.getByRole('button', { name: 'Switch' }).click()
  await elements(page).toEqual(ALL)
  await page.getByLabel('Canvas of').selectOption({ label: 'Second' })
  await elements(page).toEqual(['card-1'])
}, 180_000)
