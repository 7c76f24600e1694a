import { isPluralElement, isSelectElement, isTagElement, parse, TYPE } from '@formatjs/icu-messageformat-parser'
import { printAST } from '@formatjs/icu-messageformat-parser/printer.js'
import type { Catalogue } from './speech.ts'

type Elements = ReturnType<typeof parse>

const STRANGE: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from('aceinosuyACEINOSUY', (letter, place) => [letter, 'àçéîñöšüýÀÇÉÎÑÖŠÜÝ'[place] ?? letter]),
)

/** English words with strange letters, twice as long and between brackets, so that one sees what is cut and what is missing. */
export function pseudoWords(english: Catalogue): Catalogue {
  const made: Record<keyof Catalogue, string> = { ...english }
  for (const [key, text] of Object.entries(english)) Object.assign(made, { [key]: pseudoText(text) })
  return made
}

/** One message, with its arguments and cases as they are. */
export function pseudoText(text: string): string {
  return `[${printAST(pseudoElements(parse(text)))}]`
}

function pseudoElements(elements: Elements): Elements {
  return elements.map((element) => {
    if (element.type === TYPE.literal) return { ...element, value: longer(element.value) }
    if (isTagElement(element)) return { ...element, children: pseudoElements(element.children) }
    if (!isPluralElement(element) && !isSelectElement(element)) return element
    const options = Object.entries(element.options).map(([name, { value, ...rest }]) => [
      name,
      { ...rest, value: pseudoElements(value) },
    ])
    return { ...element, options: Object.fromEntries(options) }
  })
}

/** As many letters more as there were letters and signs. */
function longer(words: string): string {
  const strange = Array.from(words, (letter) => STRANGE[letter] ?? letter).join('')
  return strange + FILLING.repeat(Math.ceil(words.length / FILLING.length)).slice(0, words.length)
}

const FILLING = ['', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'].join(' ')
