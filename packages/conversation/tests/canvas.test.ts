import {
  type Canvas,
  type CanvasOperation,
  type CanvasWish,
  canvases,
  canvasLimitsOf,
  canvasOf,
  canvasSummary,
  decideWish,
  EMPTY_CANVAS,
  type Entry,
  entriesToErase,
  type Json,
  type NewEntry,
  parseNewEntry,
  shownElements,
  tombstone,
  USUAL_SETTINGS,
} from '@holdfast/conversation'
import {
  arbitraryContent,
  conversationCreated,
  logOf,
  stepFinished,
  toolCallBlock,
} from '@holdfast/conversation/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const CANVAS_LIMITS = canvasLimitsOf(USUAL_SETTINGS)

const person = { type: 'person', userId: 'user_1' } as const
const engine = { type: 'engine' } as const

/** A canvas that changes as an engine changes it: every wish is decided, written down and folded. */
function openCanvas(agentId = 'default', limits = CANVAS_LIMITS) {
  const log: NewEntry[] = [conversationCreated('user_1')]
  const canvas = (): Canvas => canvasOf(canvases.reduce(canvases.initial, logOf('a', log)), agentId)
  function ask(wish: CanvasWish, by: 'agent' | 'person' = 'agent') {
    const decision = decideWish(canvas(), wish, { isPerson: by === 'person', limits })
    if (decision.type === 'refused') return decision
    const actor = by === 'person' ? person : engine
    const version = canvas().version + 1
    log.push({ type: 'canvas-changed', actor, agentId, operations: [decision.operation], version })
    return decision
  }
  return { ask, canvas, log: (): Entry[] => logOf('a', log) }
}

const CARD = { type: 'card', title: 'One' }
const CHECKLIST = { type: 'checklist', title: 'Two', items: [{ id: 'a', text: 'First' }] }
const QUESTION = { type: 'confirmation', title: 'Apply?', choices: [{ id: 'yes', label: 'Yes' }] }
const FORM = {
  type: 'form',
  title: 'Who?',
  fields: [
    { name: 'who', label: 'Name', kind: 'text', required: true },
    { name: 'size', label: 'Size', kind: 'choice', choices: ['small', 'large'] },
    { name: 'news', label: 'News', kind: 'toggle' },
  ],
}

function add(content: Json): CanvasWish {
  return { type: 'add', content }
}

describe('a canvas', () => {
  it('[CANVAS1] gives ids and versions, and never an id twice', () => {
    const { ask, canvas } = openCanvas()
    expect(ask(add(CARD))).toMatchObject({ type: 'accepted', elementId: 'card-1', operation: { elementId: 'card-1' } })
    ask(add(CHECKLIST))
    ask({ type: 'remove', elementId: 'checklist-2' })
    ask(add(CARD))
    expect(canvas().elements.map(({ id }) => id)).toEqual(['card-1', 'card-3'])
    expect(canvas().version).toBe(4)
    expect(canvas().elements[0]).toMatchObject({ title: 'One', body: '', tone: 'neutral', pinned: false })
  })

  it('[CANVAS1] updates the fields that are named, and nothing that the server sets', () => {
    const { ask, canvas } = openCanvas()
    ask(add(CARD))
    ask({ type: 'update', elementId: 'card-1', fields: { body: 'Words', figure: '5' } })
    expect(canvas().elements[0]).toMatchObject({ id: 'card-1', title: 'One', body: 'Words', figure: '5' })
    for (const fields of [{ id: 'x' }, { type: 'text' }, { pinned: true }, { answer: {} }, { number: 9 }])
      expect(ask({ type: 'update', elementId: 'card-1', fields })).toMatchObject({ code: 'bad-element' })
    expect(ask({ type: 'update', elementId: 'card-1', fields: { color: 'red' } })).toMatchObject({
      text: 'A card has no field color.',
    })
    expect(ask({ type: 'update', elementId: 'card-1', fields: { title: 7 } })).toMatchObject({ code: 'bad-element' })
    expect(canvas().version).toBe(2)
  })

  it('[CANVAS3] keeps the canvas, mode, layout and theme of each agent by itself', () => {
    const changed = (agentId: string, version: number, operation: CanvasOperation): NewEntry => ({
      type: 'canvas-changed',
      actor: engine,
      agentId,
      version,
      operations: [operation],
    })
    const entries = logOf('a', [
      changed('one', 1, { type: 'set-mode', mode: 'media' }),
      changed('__proto__', 1, { type: 'set-theme', theme: 'blue' }),
      changed('one', 2, { type: 'set-theme', theme: 'rose' }),
    ])
    const state = canvases.reduce(canvases.initial, entries)
    expect(canvasOf(state, 'one')).toMatchObject({ theme: 'rose', mode: 'media', layout: 'auto', version: 2 })
    expect(canvasOf(state, '__proto__')).toMatchObject({ theme: 'blue', mode: 'content', version: 1 })
    expect(canvasOf(state, 'constructor')).toEqual(EMPTY_CANVAS)
    expect(canvasOf(state, undefined)).toEqual(EMPTY_CANVAS)
  })

  it('[CANVAS3] brings back what was removed or cleared, each to its place', () => {
    const { ask, canvas } = openCanvas()
    for (const title of ['A', 'B', 'C']) ask(add({ ...CARD, title }))
    const before = canvas().elements
    ask({ type: 'remove', elementId: 'card-2' }, 'person')
    ask({ type: 'restore' }, 'person')
    expect(canvas().elements).toEqual(before)
    ask({ type: 'clear' })
    expect(canvas().elements).toEqual([])
    ask({ type: 'restore' })
    expect(canvas().elements).toEqual(before)
    expect(ask({ type: 'restore' })).toMatchObject({ code: 'nothing-to-restore' })
  })

  it('[CANVAS3] keeps nothing of a notification but the version', () => {
    const { ask, canvas } = openCanvas()
    ask(add(CARD))
    const before = canvas()
    ask({ type: 'notify', text: 'Done', tone: 'good' })
    expect(canvas()).toEqual({ ...before, version: 2 })
  })

  it('[CANVAS3] takes one answer, from a person, and keeps it as a record', () => {
    const { ask, canvas } = openCanvas()
    ask(add(QUESTION))
    const answer = { type: 'answer', elementId: 'confirmation-1', value: 'yes' } as const
    expect(ask(answer)).toMatchObject({ code: 'not-yours' })
    expect(ask({ ...answer, value: 'no' }, 'person')).toMatchObject({ text: 'confirmation-1 has the choices yes.' })
    ask(answer, 'person')
    expect(canvas().elements[0]).toMatchObject({ answer: { choiceId: 'yes', userId: 'user_1', at: 1_002 } })
    expect(ask(answer, 'person')).toMatchObject({ code: 'already-answered' })
    expect(ask({ type: 'update', elementId: 'confirmation-1', fields: { title: 'Else?' } })).toMatchObject({
      code: 'already-answered',
    })
    expect(ask(add({ ...QUESTION, answer: { choiceId: 'yes', userId: 'user_1', at: 1 } }))).toMatchObject({
      code: 'not-yours',
    })
  })

  it('[CANVAS3] keeps the first of two answers that stand in a log', () => {
    const { ask, log } = openCanvas()
    ask(add(QUESTION))
    ask(add(FORM))
    const answered = (by: string, version: number): NewEntry => ({
      type: 'canvas-changed',
      actor: { type: 'person', userId: by },
      agentId: 'default',
      version,
      operations: [
        { type: 'answer-confirmation', elementId: 'confirmation-1', choiceId: by },
        { type: 'answer-form', elementId: 'form-2', values: { who: by } },
      ],
    })
    const entries = logOf('a', [...log(), answered('first', 3), answered('second', 4)])
    expect(canvasOf(canvases.reduce(canvases.initial, entries), undefined).elements).toMatchObject([
      { answer: { choiceId: 'first' } },
      { answer: { values: { who: 'first' } } },
    ])
  })

  it('[CANVAS3] takes the values of a form by its fields, and no others', () => {
    const { ask, canvas } = openCanvas()
    ask(add(FORM))
    const answer = (value: Json) => ask({ type: 'answer', elementId: 'form-1', value }, 'person')
    expect(answer({})).toMatchObject({ code: 'bad-element' })
    expect(answer({ who: ' ' })).toMatchObject({ code: 'bad-element' })
    expect(answer({ who: 'Ann', size: 'huge' })).toMatchObject({ code: 'bad-element' })
    expect(answer({ who: 'Ann', more: 1 })).toMatchObject({ code: 'bad-element' })
    answer({ who: 'Ann', size: null, news: true })
    expect(canvas().elements[0]).toMatchObject({ answer: { values: { who: 'Ann', size: null, news: true } } })
  })

  it('[CANVAS6] keeps who ticked an item, and shows pinned elements first', () => {
    const { ask, canvas } = openCanvas()
    ask(add(CARD))
    ask(add(CHECKLIST))
    ask({ type: 'check', elementId: 'checklist-2', itemId: 'a', checked: true }, 'person')
    expect(canvas().elements[1]).toMatchObject({
      items: [{ checked: true, byPerson: true }],
      changed: { byPerson: true },
    })
    ask({ type: 'pin', elementId: 'checklist-2', pinned: true }, 'person')
    expect(shownElements(canvas()).map(({ id }) => id)).toEqual(['checklist-2', 'card-1'])
    expect(ask({ type: 'check', elementId: 'checklist-2', itemId: 'b', checked: true })).toMatchObject({
      text: 'checklist-2 has no item "b". It has a.',
    })
    expect(ask({ type: 'check', elementId: 'card-1', itemId: 'a', checked: true })).toMatchObject({
      code: 'bad-element',
    })
  })

  it('[PREV11] keeps the versions of a page by the entries that brought them, and each has its source there', () => {
    const { ask, canvas, log } = openCanvas()
    const wished = { type: 'page', title: 'Page', html: '<p>one</p>' }
    expect(ask({ type: 'add', content: wished })).toMatchObject({ type: 'accepted', elementId: 'page-1' })
    ask({ type: 'update', elementId: 'page-1', fields: { title: 'Another name' } })
    ask({ type: 'update', elementId: 'page-1', fields: { html: '<p>two</p>' } })
    const [page] = canvas().elements
    if (page?.type !== 'page') throw new Error('There is no page')
    expect(page.versions.map(({ canvasVersion }) => canvasVersion)).toEqual([1, 3])
    const sources = page.versions.map(({ seq }) => {
      const then = canvases.reduce(
        canvases.initial,
        log().filter((entry) => entry.seq <= seq),
      )
      return canvasOf(then, 'default').elements[0]
    })
    expect(sources).toMatchObject([{ html: '<p>one</p>' }, { html: '<p>two</p>' }])
    expect(canvasSummary(canvas())).toContain('page-1 "Another name": page of 10 characters, version 2')
    // The canvas counts them, and nobody else.
    for (const wish of [
      { type: 'update', elementId: 'page-1', fields: { versions: [] } },
      { type: 'add', content: { ...wished, versions: [{ seq: 1, at: 0, canvasVersion: 1 }] } },
    ] as const)
      expect(ask(wish)).toMatchObject({ type: 'refused', code: 'bad-element' })
  })

  it('[PREV11, CANVAS4] takes a page of 2 MiB and none that is longer, and never more than a canvas holds', () => {
    const { ask } = openCanvas()
    const page = (html: string) => ({ type: 'add', content: { type: 'page', title: 'Page', html } }) as const
    expect(ask(page('x'.repeat(2_097_153)))).toMatchObject({ type: 'refused', code: 'too-large' })
    expect(ask(page('x'.repeat(2_000_000)))).toMatchObject({ type: 'accepted' })
    expect(ask({ type: 'update', elementId: 'page-1', fields: { html: 'y'.repeat(2_090_000) } }).type).toBe('accepted')
    expect(ask(page('x'.repeat(2_000_000)))).toMatchObject({ type: 'accepted' })
    expect(ask(page('x'.repeat(200_000)))).toMatchObject({ type: 'refused', code: 'canvas-full' })
    const small = openCanvas('default', { ...CANVAS_LIMITS, canvasSizeBytes: 1_000 })
    expect(small.ask(page('x'.repeat(1_000)))).toMatchObject({ type: 'refused', code: 'too-large' })
  })

  it('[CANVAS4] holds so many elements, of such a size each and together, and says the figures', () => {
    const { ask } = openCanvas()
    expect(ask(add({ ...CARD, body: 'é'.repeat(40_000) }))).toMatchObject({
      code: 'too-large',
      text: expect.stringMatching(/^The element has 800\d\d bytes, and 65536 is the most/),
    })
    const full = { ...EMPTY_CANVAS, elements: Array.from({ length: 200 }, () => openOne()) }
    const context = { isPerson: false, limits: CANVAS_LIMITS }
    expect(decideWish(full, add(CARD), context)).toMatchObject({ code: 'canvas-full' })
    const tight = { ...context, limits: { ...CANVAS_LIMITS, canvasSizeBytes: 150 } }
    expect(decideWish({ ...EMPTY_CANVAS, elements: [openOne()] }, add(CARD), tight)).toMatchObject({
      code: 'canvas-full',
    })
  })

  it('[CANVAS4] brings back only what there is room for, and takes no answer larger than an element', () => {
    const limits = { ...CANVAS_LIMITS, elements: 2, elementSizeBytes: 400 }
    const { ask, canvas } = openCanvas('default', limits)
    ask(add(CARD))
    ask(add(CARD))
    ask({ type: 'clear' })
    ask(add(CARD))
    expect(ask({ type: 'restore' }, 'person')).toMatchObject({
      code: 'canvas-full',
      text: 'The canvas would hold 3 elements, and 2 is the most. Remove 1 first.',
    })
    ask({ type: 'remove', elementId: 'card-3' })
    expect(canvas().elements).toEqual([])
    const fields = [{ name: 'why', label: 'Why?', kind: 'long-text' }]
    ask(add({ type: 'form', title: 'Why?', fields }))
    const answer = (why: string) => ask({ type: 'answer', elementId: 'form-4', value: { why } }, 'person')
    expect(answer('x'.repeat(400))).toMatchObject({
      code: 'too-large',
      text: 'The answer has 410 bytes, and 400 is the most. Write less.',
    })
    expect(answer('x'.repeat(300))).toMatchObject({ type: 'accepted' })
    const narrow = { isPerson: true, limits: { ...CANVAS_LIMITS, canvasSizeBytes: 100 } }
    const cleared = { ...canvas(), elements: [], removed: { seq: 1, byPerson: true, elements: [] } }
    const [element] = canvas().elements
    if (!element) throw new Error('The form is not there')
    const removed = { ...cleared.removed, elements: [{ index: 0, element }] }
    expect(decideWish({ ...cleared, removed }, { type: 'restore' }, narrow)).toMatchObject({ code: 'canvas-full' })
    expect(decideWish(cleared, { type: 'restore' }, narrow)).toMatchObject({ type: 'accepted' })
  })

  it('[CANVAS4, CANVAS5] refuses what is not an element in words that say where', () => {
    const { ask, canvas } = openCanvas()
    const wrong: readonly (readonly [Json, RegExp])[] = [
      [{ type: 'gauge', title: 'x' }, /type/],
      [{ type: 'card' }, /title/],
      [{ type: 'card', title: { deep: 1 } }, /title/],
      [{ type: 'card', title: 'x', body: ['a'] }, /body/],
      [{ type: 'chart', title: 'x', kind: 'bar', labels: ['a'], series: [{ name: 's', values: [1, 2] }] }, /series.0/],
      [{ type: 'chart', title: 'x', kind: 'bar', labels: ['a'], series: [{ name: 's', values: ['1'] }] }, /series.0/],
      [{ type: 'chart', title: 'x', kind: 'pie', labels: ['a'], series: [{ name: 's', values: [-1] }] }, /pie/],
      [{ type: 'table', title: 'x', columns: [{ name: 'a' }], rows: [['1', '2']] }, /2 cells for 1 columns/],
      [{ type: 'media', title: 'x', kind: 'image', url: 'javascript:alert(1)' }, /http/],
      [{ type: 'media', title: 'x', kind: 'image', url: 'data:text/html,x' }, /http/],
      [{ type: 'progress', title: 'x', value: 5, maximum: 4 }, /more than the maximum/],
      [{ type: 'timer', title: 'x', startedAt: 5, endsAt: 5 }, /ends after/],
      [{ ...FORM, fields: [...FORM.fields, ...FORM.fields] }, /Two fields/],
      [{ ...QUESTION, choices: [] }, /choices/],
      [[], /./],
      ['card', /./],
      [null, /./],
    ]
    for (const [content, words] of wrong)
      expect(ask(add(content)), JSON.stringify(content)).toMatchObject({
        type: 'refused',
        code: 'bad-element',
        text: expect.stringMatching(words),
      })
    expect(canvas().version).toBe(0)
    expect(ask({ type: 'remove', elementId: 'card-9\nforged' })).toMatchObject({
      text: 'There is no element "card-9\\nforged" on the canvas. It has none.',
    })
  })

  it('[CANVAS4] refuses an entry with an element that cannot be, so that none comes into a log', () => {
    const entry = { type: 'canvas-changed', actor: engine, agentId: 'a', version: 1 }
    const content = { type: 'card', title: 7 }
    expect(() =>
      parseNewEntry({ ...entry, operations: [{ type: 'add-element', elementId: 'a', number: 1, content }] }),
    ).toThrow(/title/)
    expect(() => parseNewEntry({ ...entry, operations: [{ type: 'draw' }] })).toThrow(/type/)
  })

  it('[CANVAS2] has the state of any entry, and the same whoever folds it from where', () => {
    fc.assert(
      fc.property(fc.array(arbitraryContent, { minLength: 1, maxLength: 12 }), fc.nat(12), (contents, cut) => {
        const { ask, log } = openCanvas()
        for (const content of contents) ask(add(content))
        const entries = log()
        const snapshot = JSON.parse(JSON.stringify(canvases.reduce(canvases.initial, entries.slice(0, cut))))
        expect(canvasOf(snapshot, undefined).elements).toHaveLength(Math.min(contents.length, Math.max(0, cut - 1)))
        expect(canvases.reduce(snapshot, entries.slice(cut))).toEqual(canvases.reduce(canvases.initial, entries))
      }),
    )
  })

  it('[LOG9] holds nothing of what an erased answer drew, and later changes of it change nothing', () => {
    const canvasEntry = (operation: CanvasOperation, version: number): NewEntry => ({
      type: 'canvas-changed',
      actor: engine,
      agentId: 'default',
      operations: [operation],
      version,
      ...(version === 1 ? { callId: 'call_1' } : {}),
    })
    const content = { type: 'card' as const, title: 'Secret', body: '', tone: 'neutral' as const }
    const log = logOf('a', [
      conversationCreated('user_1'),
      stepFinished('run_1', 'step_1', [toolCallBlock('call_1', 'canvas_add_card')]),
      canvasEntry({ type: 'add-element', elementId: 'card-1', number: 1, content }, 1),
      canvasEntry({ type: 'update-element', elementId: 'card-1', fields: { body: 'More' } }, 2),
    ])
    const erased = new Set(entriesToErase(log, [2]))
    expect([...erased].map(({ seq }) => seq)).toEqual([2, 3])
    const left = log.map((entry) => (erased.has(entry) ? tombstone(entry, { reason: 'asked for', at: 9 }) : entry))
    const canvas = canvasOf(canvases.reduce(canvases.initial, left), undefined)
    expect(canvas).toMatchObject({ elements: [], version: 2 })
  })

  it('[UI48, LOG9] keeps a form and a confirmation answered whose answer was erased, without what was given', () => {
    const { ask, log } = openCanvas('helper')
    ask(add(FORM))
    ask(add(QUESTION))
    ask({ type: 'answer', elementId: 'form-1', value: { who: 'Rhinoceros' } }, 'person')
    ask({ type: 'answer', elementId: 'confirmation-2', value: 'yes' }, 'person')
    const written = log()
    const erased = new Set(entriesToErase(written, [4, 5]))
    const left = written.map((entry) => (erased.has(entry) ? tombstone(entry, { reason: 'asked for', at: 9 }) : entry))
    expect(JSON.stringify(left)).not.toContain('Rhinoceros')
    expect(left[3]).toMatchObject({ of: { answered: { agentId: 'helper', elementIds: ['form-1'] } } })
    const canvas = canvasOf(canvases.reduce(canvases.initial, left), 'helper')
    expect(canvas.elements).toMatchObject([
      { id: 'form-1', answer: { values: null, userId: 'user_1', at: 1_003 } },
      { id: 'confirmation-2', answer: { choiceId: null, userId: 'user_1', at: 1_004 } },
    ])
    const again = decideWish(
      canvas,
      { type: 'answer', elementId: 'confirmation-2', value: 'yes' },
      { isPerson: true, limits: CANVAS_LIMITS },
    )
    expect(again).toMatchObject({ type: 'refused', code: 'already-answered' })
    expect(canvasSummary(canvas)).toContain('what the person gave was erased')
  })

  it('[CANVAS2] doubles nothing where an entry comes twice', () => {
    const { ask, log } = openCanvas()
    ask(add(CARD))
    const entries = log()
    const once = canvases.reduce(canvases.initial, entries)
    expect(canvases.reduce(once, entries)).toEqual(once)
  })
})

function openOne() {
  const { ask, canvas } = openCanvas()
  ask(add(CARD))
  const [element] = canvas().elements
  if (!element) throw new Error('The card is not there')
  return element
}
