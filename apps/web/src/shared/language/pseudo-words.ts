import { isPluralElement, isSelectElement, isTagElement, parse, TYPE } from '@formatjs/icu-messageformat-parser'
import { printAST } from '@formatjs/icu-messageformat-parser/printer.js'
import type { PseudoLanguage } from './languages.ts'
import type { Catalogue } from './speech.ts'

type Elements = ReturnType<typeof parse>

const LATIN = 'abcdefghijklmnopqrstuvwxyz'

/** Letters that stand for `a` to `z`. */
const LETTERS: Readonly<Record<PseudoLanguage, string>> = {
  'en-XA': 'àƀçðéƒĝĥîĵķļɱñöþǫŕšţûṽŵẋýž',
  'ar-XB': 'ابتثجحخدذرزسشصضطظعغفقكلمنه',
  'ja-XC': '亜加左多名花間也良和井木志知二火見利宇久巣津奴布武湯',
}

/** English words in the letters of a pseudo-language, between brackets, so that one sees what is cut and what is missing. */
export function pseudoWords(english: Catalogue, language: PseudoLanguage): Catalogue {
  const made: Record<keyof Catalogue, string> = { ...english }
  for (const [key, text] of Object.entries(english)) Object.assign(made, { [key]: pseudoText(text, language) })
  return made
}

/** One message, with its values, cases and tags as they are. */
function pseudoText(text: string, language: PseudoLanguage): string {
  return `[${printAST(pseudoElements(parse(text), language))}]`
}

function pseudoElements(elements: Elements, language: PseudoLanguage): Elements {
  return elements.map((element) => {
    if (element.type === TYPE.literal) return { ...element, value: pseudoLetters(element.value, language) }
    if (isTagElement(element)) return { ...element, children: pseudoElements(element.children, language) }
    if (!isPluralElement(element) && !isSelectElement(element)) return element
    const options = Object.entries(element.options).map(([name, { value, ...rest }]) => [
      name,
      { ...rest, value: pseudoElements(value, language) },
    ])
    return { ...element, options: Object.fromEntries(options) }
  })
}

function pseudoLetters(words: string, language: PseudoLanguage): string {
  const letters = Array.from(LETTERS[language])
  const strange = Array.from(words, (letter) => letters[LATIN.indexOf(letter.toLowerCase())] ?? letter).join('')
  switch (language) {
    case 'en-XA':
      return strange + FILLING.repeat(Math.ceil(words.length / FILLING.length)).slice(0, words.length)
    case 'ar-XB':
      return strange
    case 'ja-XC':
      return strange.replaceAll(' ', '')
  }
}

/** As many letters more as there were: other languages are longer. */
const FILLING = ['', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'].join(' ')
