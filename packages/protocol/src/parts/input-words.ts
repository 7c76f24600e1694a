import type * as z from 'zod'

/** More than these are not told at once. */
const MOST_TOLD = 5

/**
 * What is wrong with something that was sent, for a person: each place, what is so there, and what to give instead. Values
 * are not repeated: secrets may be among them. `whole` names what was sent. [CLI24]
 */
export function inputWords({ issues }: Pick<z.ZodError, 'issues'>, whole: string): string {
  const told = [...new Set(issues.map((issue) => wordsOf(issue, { whole, above: [] })))]
  const more = told.length > MOST_TOLD ? [`And ${told.length - MOST_TOLD} more places`] : []
  return told.length === 0 ? `${whole} cannot be read` : [...told.slice(0, MOST_TOLD), ...more].join('. ')
}

interface At {
  readonly whole: string
  readonly above: readonly PropertyKey[]
}

function wordsOf(issue: z.core.$ZodIssue, { whole, above }: At): string {
  const path = [...above, ...issue.path]
  const place = path.length === 0 ? whole : path.map(String).join('.')
  if (!isUsual(issue)) return `${place}: ${issue.message}`
  switch (issue.code) {
    case 'invalid_type':
      if (issue.message.endsWith('received undefined')) return `${place} is missing: give ${kindOf(issue.expected)}`
      return `${place} is not ${kindOf(issue.expected)}: give one`
    case 'too_small': {
      const { origin, minimum, inclusive } = issue
      if (isCounted(origin) && Number(minimum) === 1) return `${place} is empty: give at least 1 ${unitOf(origin, 1)}`
      if (isCounted(origin)) return `${place} is too short: give at least ${minimum} ${unitOf(origin, minimum)}`
      return `${place} is too small: give ${inclusive === false ? 'more than' : 'at least'} ${minimum}`
    }
    case 'too_big': {
      const { origin, maximum, inclusive } = issue
      if (isCounted(origin)) return `${place} is too long: give at most ${maximum} ${unitOf(origin, maximum)}`
      return `${place} is too large: give ${inclusive === false ? 'less than' : 'at most'} ${maximum}`
    }
    case 'invalid_format':
      if (issue.format === 'regex') return `${place} is not of the form that is taken: it has to match ${issue.pattern}`
      return `${place} is not of the form that is taken: give ${FORMATS.get(issue.format) ?? issue.format}`
    case 'not_multiple_of':
      return `${place} is no multiple of ${issue.divisor}: give one`
    case 'unrecognized_keys':
      return `${path.length === 0 ? 'There is' : `${place} has`} no field ${issue.keys.join(', ')}: leave it out or correct its name`
    case 'invalid_value':
      return `${place} is nothing that can be chosen: give ${eitherOf(issue.values)}`
    case 'invalid_union':
      return unionWords(issue, place, { whole, above: path })
    case 'invalid_key':
    case 'invalid_element':
      return issue.issues[0] ? wordsOf(issue.issues[0], { whole, above: path }) : `${place} cannot be used`
    case 'custom':
      return `${place} is nothing that can be used here`
  }
}

/** Of several forms the one is told of that most of what was sent fits: where the mistake lies deepest. */
function unionWords(issue: z.core.$ZodIssueInvalidUnion, place: string, at: At): string {
  if ('options' in issue && issue.options && issue.options.length > 0)
    return `${place} is nothing that can be chosen: give ${eitherOf(issue.options)}`
  const firsts = issue.errors.flatMap(([first]) => (first ? [first] : []))
  const deepest = firsts.toSorted((one, other) => other.path.length - one.path.length)[0]
  if (deepest && deepest.path.length > 0) return wordsOf(deepest, at)
  return `${place} has none of the forms that are taken`
}

/** Whether a schema has no words of its own for this. */
function isUsual({ message }: z.core.$ZodIssue): boolean {
  return /^(?:Invalid input(?:$|: (?:expected|more) )|Invalid (?!input)|Too |Unrecognized )/.test(message)
}

const KINDS: ReadonlyMap<string, string> = new Map([
  ['string', 'a text'],
  ['int', 'a whole number'],
  ['boolean', 'true or false'],
  ['array', 'a list'],
  ['object', 'an object with fields'],
  ['record', 'an object with fields'],
])

function kindOf(expected: string): string {
  return KINDS.get(expected) ?? `a ${expected}`
}

const FORMATS: ReadonlyMap<string, string> = new Map([
  ['email', 'an e-mail address'],
  ['url', 'a whole address, such as https://example.com'],
  ['datetime', 'a time, such as 2026-03-29T02:30:00Z'],
  ['date', 'a day, such as 2026-03-29'],
])

function isCounted(origin: string): boolean {
  return origin !== 'number' && origin !== 'int' && origin !== 'bigint' && origin !== 'date'
}

function unitOf(origin: string, count: number | bigint): string {
  const [one, several] = origin === 'string' ? ['character', 'characters'] : ['entry', 'entries']
  return Number(count) === 1 ? one : several
}

function eitherOf(values: readonly z.core.util.Primitive[]): string {
  const names = values.map(String)
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
}
