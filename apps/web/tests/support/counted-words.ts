import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser'

/** The words that a catalogue bends by a number: of `one {# token} other {# tokens}` that is `tokens`. */
export function bentWords(texts: readonly string[]): ReadonlySet<string> {
  return new Set(texts.flatMap((text) => parse(text).flatMap(bentIn)))
}

/** What a message says of a value with such a word behind it and without the cases of the number: `{tokens} tokens`. */
export function unbentCounts(text: string, bent: ReadonlySet<string>): readonly string[] {
  return unbentIn(parse(text), bent)
}

function bentIn(element: MessageFormatElement): readonly string[] {
  switch (element.type) {
    case TYPE.tag:
      return element.children.flatMap(bentIn)
    case TYPE.select:
      return Object.values(element.options).flatMap(({ value }) => value.flatMap(bentIn))
    case TYPE.plural: {
      const one = new Set(wordsIn(element.options.one?.value ?? []))
      const others = Object.entries(element.options).filter(([name]) => name !== 'one' && one.size > 0)
      return others.flatMap(([, { value }]) => countedWord(value, one))
    }
    case TYPE.literal:
    case TYPE.pound:
    case TYPE.argument:
    case TYPE.number:
    case TYPE.date:
    case TYPE.time:
      return []
  }
}

/** Of the words behind the number the first that one thing is not called by. */
function countedWord(elements: readonly MessageFormatElement[], one: ReadonlySet<string>): readonly string[] {
  const place = elements.findIndex(({ type }) => type === TYPE.pound || type === TYPE.argument)
  if (place === -1) return []
  return wordsIn(elements.slice(place, place + 2))
    .filter((word) => !one.has(word))
    .slice(0, 1)
}

function unbentIn(elements: readonly MessageFormatElement[], bent: ReadonlySet<string>): readonly string[] {
  return elements.flatMap((element, place) => {
    if (element.type === TYPE.tag) return unbentIn(element.children, bent)
    if (element.type === TYPE.select)
      return Object.values(element.options).flatMap(({ value }) => unbentIn(value, bent))
    if (element.type !== TYPE.argument && element.type !== TYPE.number) return []
    const next = elements[place + 1]
    const [word = ''] = next?.type === TYPE.literal && /^\s\p{L}/u.test(next.value) ? wordsIn([next]) : []
    return bent.has(word) ? [`{${element.value}} ${word}`] : []
  })
}

function wordsIn(elements: readonly MessageFormatElement[]): readonly string[] {
  return elements.flatMap((element) =>
    element.type === TYPE.literal ? (element.value.match(/[\p{L}\p{M}]+/gu) ?? []) : [],
  )
}
