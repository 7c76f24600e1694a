import type { NewEntry } from '@holdfast/conversation'
import type { PlantedBug } from './planted-bug.ts'
import { changedEntries } from './planted-store.ts'

/** Bugs of canvases that the simulation must find. */
export const PLANTED_CANVAS_BUGS: readonly PlantedBug[] = [
  { name: 'gives an id of the canvas again', store: changedEntries(withNumber(1)) },
  {
    name: 'counts no version of the canvas',
    store: changedEntries((entry) => [entry.type === 'canvas-changed' ? { ...entry, version: 1 } : entry]),
  },
  {
    name: 'changes the canvas once more for one command',
    store: changedEntries((entry) =>
      entry.type === 'canvas-changed' ? [entry, { ...entry, version: entry.version + 1 }] : [entry],
    ),
  },
  {
    name: 'tells nobody of an answer on the canvas',
    store: changedEntries((entry) => (entry.type === 'input-admitted' && entry.origin === 'canvas' ? [] : [entry])),
  },
  {
    name: 'notes nothing of the canvas',
    store: changedEntries((entry) => (entry.type === 'context-noted' && entry.section === 'canvas' ? [] : [entry])),
  },
  {
    name: 'draws for a call that has ended',
    engine: (engine) => ({
      ...engine,
      changeCanvas: (asked) => {
        if (asked.call === undefined) return engine.changeCanvas(asked)
        return engine.changeCanvas({ ...asked, call: { ...asked.call, signal: new AbortController().signal } })
      },
    }),
  },
  {
    name: 'lets the agent answer its own question',
    engine: (engine) => ({
      ...engine,
      changeCanvas: (asked) => {
        const actor = asked.wish.type === 'answer' ? ({ type: 'person', userId: 'user_1' } as const) : asked.actor
        return engine.changeCanvas({ ...asked, actor })
      },
    }),
  },
]

function withNumber(number: number): (entry: NewEntry) => readonly NewEntry[] {
  return (entry) => {
    if (entry.type !== 'canvas-changed') return [entry]
    const operations = entry.operations.map((operation) =>
      operation.type === 'add-element'
        ? { ...operation, number, elementId: `${operation.content.type}-${number}` }
        : operation,
    )
    return [{ ...entry, operations }]
  }
}
