/** A source of choices that a seed repeats. */
export interface Choices {
  below(limit: number): number
  one<Value>(values: readonly Value[]): Value
}

/** The same choices for the same seed. */
export function choicesOf(seed: number): Choices {
  let state = seed >>> 0
  function below(limit: number): number {
    // Numerical Recipes' constants; the high bits are the better ones.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
  return {
    below,
    one: (values) => {
      const value = values[below(values.length)]
      if (value === undefined) throw new Error('There is nothing to choose from')
      return value
    },
  }
}

const WRONG: readonly unknown[] = [
  null,
  [],
  {},
  '',
  ' ',
  0,
  -1,
  1.5,
  1e308,
  Number.MAX_SAFE_INTEGER,
  true,
  [[[[]]]],
  { $ne: null },
  { length: 1e9 },
  'x'.repeat(5_000),
  '\u0000',
  '\ud800',
  '../../etc/passwd',
  "' OR 1=1 --",
  '%00',
  '\u202egnp',
  'constructor',
  ['__proto__'],
]

const TEXTS: readonly string[] = [
  '',
  '{',
  '[',
  'null',
  '7',
  '"',
  '{"a":',
  '\u0000',
  '{"__proto__":{"x":1}}',
  '[1,',
  '{}{}',
  '﻿{}',
]

/** A value that is wrong in one place, or in all. */
function malformed(value: unknown, choices: Choices): unknown {
  if (typeof value !== 'object' || value === null || choices.below(6) === 0) return choices.one(WRONG)
  const copy: Record<string, unknown> = { ...value }
  const name = choices.one([...Object.keys(copy), 'extra'])
  switch (choices.below(4)) {
    case 0:
      delete copy[name]
      return copy
    case 1:
      return { ...copy, [name]: malformed(copy[name], choices) }
    case 2:
      return { ...copy, [`${name}_`]: copy[name] ?? 1 }
    default:
      return [copy, copy]
  }
}

/** A malformed value as text that goes over the line, sometimes cut or not JSON at all. */
export function malformedText(value: unknown, choices: Choices): string {
  if (choices.below(8) === 0) return choices.one(TEXTS)
  const text = JSON.stringify(malformed(value, choices))
  return choices.below(8) === 0 ? text.slice(0, choices.below(text.length + 1)) : text
}

/** A part of an address that names nothing, or something that it should not. */
export function malformedName(choices: Choices): string {
  return choices.one([
    'x',
    '%2e%2e',
    '..%2f..',
    '%00',
    '%ff',
    '%E0%A4%A',
    'a'.repeat(300),
    'a'.repeat(700),
    '-1',
    'null',
    '%20',
    "';--",
    '[]',
  ])
}
