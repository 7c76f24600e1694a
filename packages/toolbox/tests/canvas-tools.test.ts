import {
  type Canvas,
  type CanvasWish,
  canvases,
  canvasLimitsOf,
  canvasOf,
  decideWish,
  type NewEntry,
  USUAL_SETTINGS,
} from '@holdfast/conversation'
import { logOf } from '@holdfast/conversation/testing'
import { DEFAULT_LIMITS, runCall } from '@holdfast/tool'
import { CANVAS_TOOL_NAMES, type CanvasWriter, createCanvasTools } from '@holdfast/toolbox'
import { describe, expect, it } from 'vitest'

const CANVAS_LIMITS = canvasLimitsOf(USUAL_SETTINGS)

const clock = { now: () => 1_000, monotonicMs: () => 0, after: () => () => {} }

/** The tools on a canvas of their own. */
function openTools() {
  const log: NewEntry[] = []
  const wishes: CanvasWish[] = []
  const canvas = (): Canvas => canvasOf(canvases.reduce(canvases.initial, logOf('a', log)), undefined)
  const writer: CanvasWriter = {
    async change(wish) {
      wishes.push(wish)
      const decision = decideWish(canvas(), wish, { isPerson: false, limits: CANVAS_LIMITS })
      if (decision.type === 'refused') return decision
      const version = canvas().version + 1
      const operations = [decision.operation]
      log.push({ type: 'canvas-changed', actor: { type: 'engine' }, agentId: 'default', operations, version })
      return { type: 'changed', elementId: decision.elementId, version }
    },
    findAttachment: async (name) => (name === 'tree.mp4' ? 'upload_1' : null),
  }
  const tools = createCanvasTools({ writer, clock })
  async function call(name: string, input: object) {
    const { outcome, content } = await runCall({
      tool: tools.find(({ definition }) => definition.name === name),
      call: { callId: 'call_1', name, input: JSON.parse(JSON.stringify(input)) },
      limits: DEFAULT_LIMITS,
      clock,
      signal: new AbortController().signal,
      onLate: () => {},
      onLateEffect: () => {},
    })
    return { outcome, text: content.map((part) => (part.type === 'text' ? part.text : '')).join('') }
  }
  return { tools, call, canvas, wishes }
}

/** What each tool takes at least, and the element that it makes. */
const CALLS: readonly (readonly [string, object, string | null])[] = [
  ['canvas_set_mode', { mode: 'media', layout: 'column' }, null],
  ['canvas_set_theme', { theme: 'blue' }, null],
  ['canvas_add_card', { title: 'A' }, 'card-1'],
  ['canvas_show_text', { body: 'Words' }, 'text-2'],
  ['canvas_show_chart', { title: 'C', kind: 'pie', labels: ['a'], series: [{ name: 's', values: [1] }] }, 'chart-3'],
  ['canvas_show_table', { title: 'T', columns: ['a', { name: 'b', kind: 'number' }], rows: [['x', 1]] }, 'table-4'],
  ['canvas_play_media', { title: 'M', kind: 'image', url: 'https://example.org/a.png' }, 'media-5'],
  ['canvas_show_progress', { title: 'P', value: 3 }, 'progress-6'],
  ['canvas_show_timer', { title: 'W', duration_seconds: 60 }, 'timer-7'],
  ['canvas_show_checklist', { title: 'L', items: ['first', { text: 'second', checked: true }] }, 'checklist-8'],
  ['canvas_show_form', { title: 'F', fields: [{ name: 'a', label: 'A', kind: 'text' }] }, 'form-9'],
  ['canvas_show_confirmation', { title: 'Q' }, 'confirmation-10'],
  ['canvas_show_page', { title: 'S', html: '<h1>Page</h1>' }, 'page-11'],
  ['canvas_show_notification', { text: 'Done' }, null],
  ['canvas_update_element', { id: 'card-1', fields: { title: 'B' } }, 'card-1'],
  ['canvas_remove_element', { id: 'text-2' }, 'text-2'],
]

describe('the canvas tools', () => {
  it('[CANVAS1] are those of the interface, and each answers with an id and a version', async () => {
    const { tools, call, canvas } = openTools()
    expect(tools.map(({ definition }) => definition.name)).toEqual(CALLS.map(([name]) => name))
    expect(tools.map(({ definition }) => definition.name)).toEqual(CANVAS_TOOL_NAMES)
    for (const [index, [name, input, id]] of CALLS.entries())
      expect(await call(name, input), name).toEqual({ outcome: 'ok', text: JSON.stringify({ id, version: index + 1 }) })
    expect(canvas()).toMatchObject({ mode: 'media', layout: 'column', theme: 'blue' })
    const byId = new Map(canvas().elements.map((element) => [element.id, element]))
    expect(byId.get('card-1')).toMatchObject({ title: 'B' })
    expect(byId.get('timer-7')).toMatchObject({ startedAt: 1_000, endsAt: 61_000 })
    expect(byId.get('checklist-8')).toMatchObject({
      items: [
        { id: 'item-1', text: 'first', checked: false },
        { id: 'item-2', text: 'second', checked: true },
      ],
    })
    expect(byId.get('table-4')).toMatchObject({ columns: [{ name: 'a', kind: 'text' }, { name: 'b' }] })
    expect(byId.get('confirmation-10')).toMatchObject({ choices: [{ id: 'yes' }, { id: 'no' }], answer: null })
    expect(byId.has('text-2')).toBe(false)
  })

  it('[CANVAS8] show a file of the conversation by its name, or offer an address, and one of the two', async () => {
    const { call, canvas, tools } = openTools()
    const media = { title: 'M', kind: 'video' }
    expect(await call('canvas_play_media', { ...media, attachment: 'tree.mp4' })).toMatchObject({ outcome: 'ok' })
    expect(canvas().elements).toMatchObject([{ type: 'media', kind: 'video', attachmentId: 'upload_1' }])
    expect(await call('canvas_play_media', { ...media, attachment: 'other.mp4' })).toEqual({
      outcome: 'error',
      text: 'No file other.mp4 was sent in this conversation.',
    })
    for (const wrong of [{}, { attachment: 'tree.mp4', url: 'https://example.org/a.mp4' }])
      expect((await call('canvas_play_media', { ...media, ...wrong })).text).toMatch(/either an address or a file/)
    expect(canvas().elements).toHaveLength(1)
    const told = tools.find(({ definition }) => definition.name === 'canvas_play_media')?.definition.description
    expect(told).toContain('loaded only if the person presses')
  })

  it('[TOOL7] run in their order, and reach nothing outside the conversation', () => {
    for (const { definition } of openTools().tools) {
      expect(definition.annotations).toMatchObject({ readOnly: false, destructive: false, openWorld: false })
      expect(new Set(Object.values(definition.argumentRoles ?? {}))).toEqual(new Set(['plain']))
    }
  })

  it('[CANVAS4, CANVAS5] fail with words on which a model can act, and leave the canvas as it was', async () => {
    const { call, canvas, wishes } = openTools()
    await call('canvas_add_card', { title: 'A' })
    const wrong: readonly (readonly [string, object, RegExp])[] = [
      ['canvas_show_gauge', { title: 'x' }, /no tool named canvas_show_gauge/],
      ['canvas_add_card', {}, /title/],
      ['canvas_add_card', { title: 5 }, /title/],
      ['canvas_add_card', { title: 'x', body: { a: 1 } }, /body/],
      ['canvas_add_card', { title: 'x', body: 'x'.repeat(10_000_000) }, /body/],
      ['canvas_show_table', { title: 'x', columns: ['a'], rows: Array(100_001).fill(['x']) }, /rows/],
      [
        'canvas_show_table',
        { title: 'x', columns: ['a'], rows: Array(50_000).fill(['long enough']) },
        /65536 is the most/,
      ],
      ['canvas_play_media', { title: 'x', kind: 'image', url: 'javascript:alert(1)' }, /http/],
      ['canvas_update_element', { id: 'card-9', fields: {} }, /no element "card-9".*It has card-1/],
      ['canvas_update_element', { fields: {} }, /id/],
      ['canvas_update_element', { id: 'card-1', fields: { id: 'card-2' } }, /cannot be set/],
      ['canvas_remove_element', { id: '../card-1' }, /no element/],
      ['canvas_set_mode', { mode: 'party' }, /mode/],
    ]
    for (const [name, input, words] of wrong) {
      const { outcome, text } = await call(name, input)
      expect({ name, outcome, text: text.slice(0, 300) }).toMatchObject({
        outcome: 'error',
        text: expect.stringMatching(words),
      })
    }
    expect(canvas()).toMatchObject({ version: 1, elements: [{ id: 'card-1', title: 'A' }] })
    expect(wishes.length).toBeLessThan(wrong.length)
  })
})
