import { type PlainKey, say } from '../shared/language/say.ts'
import { FIELD_KEYS } from './field-words.ts'
import type { KeptDraft } from './kept-draft.ts'
import { type Named, shownField, whenWord } from './rule-words.ts'

/** A field that is another here than where somebody else saved it. */
export interface Difference {
  readonly label: PlainKey
  readonly theirs: string
  readonly mine: string
}

/** What is written here and saved there, where that is not the same; what was not changed here stays theirs. [UI115] */
export function differencesOf(
  { mine, base, theirs }: { readonly mine: KeptDraft; readonly base: KeptDraft; readonly theirs: KeptDraft },
  named: Named,
): readonly Difference[] {
  const unlessUntouched = (words: string, one: unknown, before: unknown): string =>
    isSame(one, before) ? say('schedules.not-changed-here') : words
  const fields = FIELD_KEYS.filter(({ name }) => !isSame(mine.value[name], theirs.value[name])).map(
    ({ name, label }): Difference => ({
      label,
      theirs: shownField(name, theirs.value, named),
      mine: unlessUntouched(shownField(name, mine.value, named), mine.value[name], base.value[name]),
    }),
  )
  if (isSame(mine.built, theirs.built)) return fields
  return [
    {
      label: 'schedules.when',
      theirs: whenWord(theirs.built, named),
      mine: unlessUntouched(whenWord(mine.built, named), mine.built, base.built),
    },
    ...fields,
  ]
}

/** What was changed here over what another saved: what was not changed here is theirs. */
export function mineOver({
  mine,
  base,
  theirs,
}: {
  readonly mine: KeptDraft
  readonly base: KeptDraft
  readonly theirs: KeptDraft
}): KeptDraft {
  const changed = FIELD_KEYS.filter(({ name }) => !isSame(mine.value[name], base.value[name]))
  const own = Object.fromEntries(changed.map(({ name }) => [name, mine.value[name]]))
  return {
    value: { ...theirs.value, ...own },
    built: isSame(mine.built, base.built) ? theirs.built : mine.built,
    base: theirs.base,
  }
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
