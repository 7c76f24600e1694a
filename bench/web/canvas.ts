import { join } from 'node:path'
import { type Canvases, type CanvasOperation, canvases, type NewEntry, placeEntry } from '@holdfast/conversation'
import { createSqliteStore } from '@holdfast/store/sqlite'
import type { Page } from 'playwright-core'
import { type Benchmark, type Figure, timeMs } from '../lib/measure.ts'
import { systemClock } from '../lib/stores.ts'
import { taskTimes, withLivePage } from './live-page.ts'

const ELEMENTS = 500
const ROWS = 100_000
const OPERATIONS = 10_000
/** A frame at 60 a second, in milliseconds. */
const FRAME_MS = 1_000 / 60
const SCROLLS = 120
const PACE = { deltasPerSecond: 100, characters: 100 }

/** How much of a frame scrolling takes, on a canvas larger than its bounds allow, and what folding operations takes. */
export const canvas: Benchmark = {
  name: 'canvas',
  about: `processor time of the page's tasks while ${ELEMENTS} elements and a table of ${ROWS.toLocaleString('en')} rows scroll (100 and 1,000 pixels a frame), and the fold of ${OPERATIONS.toLocaleString('en')} operations`,
  async run(report) {
    const scrolled = await withLivePage({ pace: PACE, fill: fillCanvas }, async ({ page, url }) => {
      await page.goto(`${url}/c/conversation_canvas?dock=canvas`)
      await page.locator(`[data-testid=canvas-el][data-id=card-${ELEMENTS}]`).waitFor({ state: 'attached' })
      const rows = await page.locator('[data-testid=canvas-el] tbody tr').count()
      report(`${await page.getByTestId('canvas-el').count()} elements and ${rows} rows of the table are in the page`)
      return [
        await scrolling(page, { name: `${ELEMENTS} elements`, selector: '.dock-body', stepPx: 100 }),
        await scrolling(page, { name: `${ROWS} rows`, selector: '.table-rows', stepPx: 1_000 }),
      ]
    })
    return [...scrolled, await folding()]
  },
}

async function scrolling(
  page: Page,
  { name, selector, stepPx }: { readonly name: string; readonly selector: string; readonly stepPx: number },
): Promise<Figure> {
  await page.evaluate(scrollScript(selector, stepPx, 20))
  const times = await taskTimes(page, async () => void (await page.evaluate(scrollScript(selector, stepPx, SCROLLS))))
  const value = Math.max(0, ...times)
  const goal = `at most ${FRAME_MS.toFixed(1)} ms`
  return {
    name: `canvas ${name}, longest task`,
    value,
    unit: 'ms',
    baseline: null,
    ratio: null,
    goal,
    met: value <= FRAME_MS,
  }
}

/** Scrolls by one step in each frame. */
function scrollScript(selector: string, stepPx: number, steps: number): string {
  return `new Promise((resolve) => {
    const scroller = document.querySelector('${selector}')
    scroller.scrollTop = 0
    let left = ${steps}
    function step() {
      if (left-- === 0) return resolve(null)
      scroller.scrollTop += ${stepPx}
      requestAnimationFrame(step)
    }
    requestAnimationFrame(step)
  })`
}

async function folding(): Promise<Figure> {
  const entries = Array.from({ length: OPERATIONS }, (_, index) => {
    const operation = index < 200 ? added(index + 1) : updated((index % 200) + 1, `Title ${index}`)
    const place = { conversationId: 'a', seq: index + 1, at: index }
    return placeEntry(changed([operation], index + 1), place)
  })
  let state: Canvases = canvases.initial
  const value = await timeMs(() => {
    for (const entry of entries) state = canvases.reduce(state, [entry])
  })
  const goal = 'at most 1 ms an operation'
  const limitMs = OPERATIONS
  return { name: 'canvas fold', value, unit: 'ms', baseline: null, ratio: null, goal, met: value <= limitMs }
}

async function fillCanvas(dataDir: string): Promise<void> {
  const { store, close } = await createSqliteStore({ dataDir: join(dataDir, 'store'), clock: systemClock })
  const actor = { type: 'person', userId: 'local' } as const
  const created: NewEntry = {
    type: 'conversation-created',
    actor,
    ownerId: 'local',
    settings: {},
    origin: { type: 'new' },
  }
  const batches = Array.from({ length: ELEMENTS / 100 }, (_, batch) =>
    changed(
      Array.from({ length: 100 }, (_, index) => added(batch * 100 + index + 1)),
      batch + 2,
    ),
  )
  try {
    const entries = [created, changed([table()], 1), ...batches]
    await store.append({ conversationId: 'conversation_canvas', after: 0, entries, at: Date.now() })
  } finally {
    await close()
  }
}

function changed(operations: CanvasOperation[], version: number): NewEntry {
  return { type: 'canvas-changed', actor: { type: 'engine' }, agentId: 'default', operations, version }
}

function added(number: number): CanvasOperation {
  const body = `Element ${number} has a **body** of a few words, so that it is laid out like others.`
  const content = {
    type: 'card' as const,
    title: `Card ${number}`,
    figure: `${number} %`,
    body,
    tone: 'neutral' as const,
  }
  return { type: 'add-element', elementId: `card-${number}`, number, content }
}

function updated(number: number, title: string): CanvasOperation {
  return { type: 'update-element', elementId: `card-${number}`, fields: { title } }
}

function table(): CanvasOperation {
  const columns = ['Name', 'Count', 'State'].map((name, index) => ({
    name,
    kind: index === 1 ? ('number' as const) : ('text' as const),
  }))
  const rows = Array.from({ length: ROWS }, (_, index) => [`Row ${index}`, (index * 7919) % 100_003, 'ready'])
  const content = { type: 'table' as const, title: 'Rows', columns, rows }
  return { type: 'add-element', elementId: 'table-1000', number: 1_000, content }
}
