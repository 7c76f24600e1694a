import type { CanvasWish, Json } from '@holdfast/conversation'
import type { Chance } from '../parts/chance.ts'
import type { CanvasRules } from '../rules/canvas-rules.ts'

type Shown = Pick<CanvasRules, 'elements'>

const CONTENTS: readonly Json[] = [
  { type: 'card', title: 'A card' },
  { type: 'checklist', title: 'A list', items: [{ id: 'a', text: 'First' }] },
  { type: 'confirmation', title: 'Yes?', choices: [{ id: 'yes', label: 'Yes' }] },
  { type: 'form', title: 'Who?', fields: [{ name: 'who', label: 'Name', kind: 'text' }] },
]

/** What an agent asks of its canvas; some of it names what is not there, or what only a person may do: answer an open question. */
export function agentWish(chance: Chance, { elements }: Shown): CanvasWish {
  const elementId = anyElement(chance, { elements })
  const question = openQuestion({ elements })
  const value = answerTo(question, 'The agent')
  return chance.weighted<() => CanvasWish>([
    [() => ({ type: 'add', content: chance.pick(CONTENTS) }), 60],
    [() => ({ type: 'add', content: { type: 'gauge', title: 'No such kind' } }), 3],
    [() => ({ type: 'update', elementId, fields: { title: `Title ${chance.below(100)}` } }), 20],
    [() => ({ type: 'remove', elementId }), 8],
    [() => ({ type: 'answer', elementId: question?.id ?? elementId, value }), 4],
    [() => ({ type: 'set-mode', mode: 'media', layout: null }), 2],
    [() => ({ type: 'notify', text: 'Look', tone: 'good' }), 3],
  ])()
}

/** What a person does on the canvas; now and then to an element that has gone, or that was answered. */
export function personWish(chance: Chance, { elements }: Shown): CanvasWish {
  const elementId = anyElement(chance, { elements })
  const question = openQuestion({ elements })
  const value = answerTo(question, question?.type === 'form' ? `Answer ${chance.below(100)}` : '')
  return chance.weighted<() => CanvasWish>([
    [() => ({ type: 'answer', elementId: question?.id ?? elementId, value }), question ? 40 : 4],
    [() => ({ type: 'check', elementId, itemId: 'a', checked: chance.happens(0.5) }), 15],
    [() => ({ type: 'pin', elementId, pinned: chance.happens(0.5) }), 8],
    [() => ({ type: 'remove', elementId }), 12],
    [() => ({ type: 'clear' }), 4],
    [() => ({ type: 'restore' }), 10],
    [() => ({ type: 'set-theme', theme: 'blue' }), 2],
  ])()
}

type Question = ReturnType<Shown['elements']>[number]

/** The newest question that nobody has answered. */
function openQuestion({ elements }: Shown): Question | undefined {
  return elements().findLast(({ type, answered }) => !answered && (type === 'confirmation' || type === 'form'))
}

/** What fits a question: the words in the field of a form, a choice of a confirmation. */
function answerTo(question: Question | undefined, words: string): Json {
  return question?.type === 'form' ? { who: words } : 'yes'
}

function anyElement(chance: Chance, { elements }: Shown): string {
  const ids = elements().map(({ id }) => id)
  return ids.length === 0 || chance.happens(0.05) ? 'card-999' : chance.pick(ids)
}
