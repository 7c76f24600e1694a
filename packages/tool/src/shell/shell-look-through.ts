import type { ShellAssignment, ShellWord } from './shell-command.ts'
import type { Wrapper } from './shell-wrappers.ts'

const ASSIGNMENT = /^([A-Za-z_][A-Za-z0-9_]*)=/
const unknownWord: ShellWord = { kind: 'dynamic', text: '', prefix: '' }

/**
 * What a wrapper runs: the words behind its own options, or null when an option is not one of those that
 * are known, so that it is unclear where its options end.
 */
export function afterWrapper(
  wrapper: Wrapper,
  words: readonly ShellWord[],
): { readonly words: readonly ShellWord[]; readonly assignments: readonly ShellAssignment[] } | null {
  let index = 0
  const assignments: ShellAssignment[] = []
  for (; index < words.length; index++) {
    const word = words[index]
    if (!word) break
    if (word.kind !== 'literal') {
      if (wrapper.assigns && ASSIGNMENT.test(word.prefix)) assignments.push(toAssignment(word))
      else break
      continue
    }
    if (word.text === '--') {
      index++
      break
    }
    if (word.text.startsWith('-')) {
      const taken = optionLength(wrapper, word.text)
      if (taken === null) return null
      // The value of an option is the wrapper's own, but one that is not known may become several words.
      if (taken === 2 && words[index + 1]?.kind !== 'literal') return null
      index += taken - 1
      continue
    }
    if (!wrapper.assigns || !ASSIGNMENT.test(word.text)) break
    assignments.push(toAssignment(word))
  }
  const own = words.slice(index, index + wrapper.positionals)
  if (own.some(({ kind }) => kind !== 'literal')) return null
  const behind = words.slice(index + wrapper.positionals)
  if (behind.length === 0) return { words: wrapper.appends ? [] : behind, assignments }
  return { words: wrapper.appends ? [...behind, unknownWord] : behind, assignments }
}

function toAssignment({ kind, text, prefix }: ShellWord): ShellAssignment {
  const at = text.indexOf('=')
  return { name: text.slice(0, at), value: { kind, text: text.slice(at + 1), prefix: prefix.slice(at + 1) } }
}

/** How many words an option takes, itself included; null when it is not known. */
function optionLength({ flags, values }: Wrapper, text: string): 1 | 2 | null {
  if (flags.includes(text)) return 1
  if (values.includes(text)) return 2
  if (text.startsWith('--')) return values.includes(text.split('=')[0] ?? '') && text.includes('=') ? 1 : null
  // `-n5` is the option with its value; `-rt` are two flags.
  if (values.includes(text.slice(0, 2))) return 1
  return [...text.slice(1)].every((letter) => flags.includes(`-${letter}`)) ? 1 : null
}
