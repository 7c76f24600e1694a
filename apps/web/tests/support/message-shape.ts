import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser'

/** What a message asks for: its values with their kinds, and its tags, in the order of their names. @throws for a text that is no message. */
export function shapeOf(text: string): readonly string[] {
  return [...new Set(parse(text).flatMap(asked))].toSorted()
}

/** The cases of number words that a language has and a message does not. */
export function missingCases(text: string, language: string): readonly string[] {
  return parse(text).flatMap((element) => missingIn(element, language))
}

function asked(element: MessageFormatElement): readonly string[] {
  switch (element.type) {
    case TYPE.literal:
    case TYPE.pound:
      return []
    case TYPE.argument:
      return [`${element.value}: words`]
    case TYPE.number:
      return [`${element.value}: number`]
    case TYPE.date:
    case TYPE.time:
      return [`${element.value}: time`]
    case TYPE.plural:
      return [
        `${element.value}: number`,
        ...Object.values(element.options).flatMap(({ value }) => value.flatMap(asked)),
      ]
    case TYPE.select:
      return [
        `${element.value}: one of ${Object.keys(element.options).toSorted().join(', ')}`,
        ...Object.values(element.options).flatMap(({ value }) => value.flatMap(asked)),
      ]
    case TYPE.tag:
      return [`<${element.value}>`, ...element.children.flatMap(asked)]
  }
}

function missingIn(element: MessageFormatElement, language: string): readonly string[] {
  if (element.type === TYPE.tag) return element.children.flatMap((child) => missingIn(child, language))
  if (element.type !== TYPE.plural && element.type !== TYPE.select) return []
  const inside = Object.values(element.options).flatMap(({ value }) =>
    value.flatMap((child) => missingIn(child, language)),
  )
  if (element.type === TYPE.select) return inside
  const { pluralCategories } = new Intl.PluralRules(language, {
    type: element.pluralType ?? 'cardinal',
  }).resolvedOptions()
  return [...inside, ...pluralCategories.filter((category) => !(category in element.options))]
}
