import { type Canvas, type CanvasElement, shownElements } from './canvas.ts'

/** Most characters of the line of one element. [DEFAULTS] */
const SUMMARY_LINE_CHARS = 150

/**
 * Most weight of a whole summary, with what escaping adds: 1,500 tokens at 2.4 Latin letters each, as tokens are counted
 * where nothing was measured yet; any other character counts four. [REQ6, CANVAS4]
 */
const SUMMARY_WEIGHT = 3_600

/** Kept free for the line that names what is left out. */
const REST_WEIGHT = 400

/**
 * What the model is told of a canvas: a head, and one line for each element, without anything that could end its line.
 * What a person did last stands beside the element. Empty for a canvas on which nothing ever was. [REQ6, REQ7, CANVAS6]
 */
export function canvasSummary(canvas: Canvas): string {
  if (canvas.version === 0) return ''
  const lines = [head(canvas)]
  const elements = shownElements(canvas)
  let weight = weightOf(lines[0] ?? '')
  for (const [index, element] of elements.entries()) {
    const line = elementLine(element)
    weight += weightOf(line)
    if (weight > SUMMARY_WEIGHT - REST_WEIGHT) {
      const rest = elements.slice(index).map(({ id }) => id)
      lines.push(`… and ${rest.length} more: ${clippedLine(rest.join(' '), REST_CHARS)}`)
      break
    }
    lines.push(line)
  }
  return lines.join('\n')
}

const REST_CHARS = 350

/** One line about an element, at most 150 characters. */
export function elementLine(element: CanvasElement): string {
  const { id, pinned, changed, title } = element
  const marks = [pinned ? 'pinned' : '', changed.byPerson ? 'changed by the person' : ''].filter((mark) => mark !== '')
  const named = title === undefined ? '' : ` ${quoted(title, 60)}`
  const said = saidOf(element)
  const start = `${id}${named}${marks.length === 0 ? '' : ` (${marks.join(', ')})`}`
  return clippedLine(said === '' ? start : `${start}: ${said}`, SUMMARY_LINE_CHARS)
}

function head({ version, mode, layout, elements, removed }: Canvas): string {
  const count = elements.length === 0 ? 'nothing on it' : `${elements.length} elements`
  const gone = removed?.byPerson
    ? `; the person removed ${clippedLine(removed.elements.map(({ element }) => element.id).join(', '), 100)}`
    : ''
  return `Canvas, version ${version}, mode ${mode}, layout ${layout}: ${count}${gone}`
}

function saidOf(element: CanvasElement): string {
  switch (element.type) {
    case 'card':
      return [element.figure ?? '', element.body].filter((text) => text !== '').join(' — ')
    case 'text':
      return element.body
    case 'chart': {
      const names = element.series.map(({ name }) => name).join(', ')
      return `${element.kind} of ${names} over ${element.labels.length} labels, ${element.labels[0]} to ${element.labels.at(-1)}`
    }
    case 'table':
      return `${element.rows.length} rows of ${element.columns.map(({ name }) => name).join(', ')}`
    case 'media':
      return `${element.kind} ${element.description}`
    case 'progress':
      return `${element.value} of ${element.maximum} ${element.caption}`
    case 'timer':
      return `ends at ${new Date(element.endsAt).toISOString()}`
    case 'checklist': {
      const done = element.items.filter(({ checked }) => checked)
      const byPerson = done.filter((item) => item.byPerson).map(({ id }) => id)
      const ticked = byPerson.length === 0 ? '' : `, ticked by the person: ${byPerson.join(' ')}`
      const open = element.items.filter(({ checked }) => !checked).map(({ id }) => id)
      return `${done.length} of ${element.items.length} done${ticked}${open.length === 0 ? '' : `; open: ${open.join(' ')}`}`
    }
    case 'page':
      return `page of ${element.html.length} characters, version ${element.versions.length} ${element.description}`
    case 'form':
      return element.answer === null
        ? `waits for the person: ${element.fields.map(({ name }) => name).join(', ')}`
        : answeredWords(element.answer.values, (values) => `answered ${JSON.stringify(values)}`)
    case 'confirmation':
      return element.answer === null
        ? `waits for the person: ${element.choices.map(({ id }) => id).join(' or ')}`
        : answeredWords(element.answer.choiceId, (choiceId) => `the person chose ${choiceId}`)
  }
}

/** What was answered; that it was erased, where it was. [UI48] */
function answeredWords<Given>(given: Given | null, words: (given: Given) => string): string {
  return given === null ? 'answered; what the person gave was erased' : words(given)
}

function quoted(text: string, limitChars: number): string {
  return `"${clippedLine(text, limitChars)}"`
}

/** A text as one line: no break, no control character, no half of a pair. */
function clippedLine(text: string, limitChars: number): string {
  const line = text
    .slice(0, limitChars * 4)
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
  return line.length <= limitChars ? line : `${line.slice(0, limitChars - 1).toWellFormed()}…`
}

const ESCAPED_LENGTHS: Readonly<Record<string, number>> = { '&': 5, '<': 4, '>': 4, '"': 6 }

function weightOf(line: string): number {
  let weight = 1
  for (const character of line) {
    const isLatin = character.charCodeAt(0) < 0x250
    weight += ESCAPED_LENGTHS[character] ?? (isLatin ? 1 : 4)
  }
  return weight
}
