import type { InParts } from '@holdfast/conversation'

/** How deep and how wide a value is written out; what lies beyond is marked. */
const MAX_DEPTH = 50
/**
 * Values that are written out of one: whoever returns an object without end holds up nobody for long, whatever the
 * limit of characters is.
 */
const MOST_VALUES = 250_000
/** Of what is thrown, which is written out in one piece. */
const MOST_THROWN_VALUES = 2_500
/** Values of one part of the work. */
const PART_VALUES = 200

interface Writing {
  text: string
  readonly limitChars: number
  readonly mostValues: number
  valuesLeft: number
  readonly open: Set<object>
}

/**
 * Writes any value that a program can return as text, like JSON with marks where JSON has no words: cycles,
 * functions, big integers, bytes, getters that throw. It stops at the limit and never throws. [TOOL5]
 *
 * @returns work to be done in parts: a large value holds nobody else up. [RUN34]
 */
export function textOfValue(value: unknown, limitChars: number): InParts<string> {
  return writtenOut(value, { limitChars, mostValues: MOST_VALUES })
}

function* writtenOut(value: unknown, limits: Pick<Writing, 'limitChars' | 'mostValues'>): InParts<string> {
  if (typeof value === 'string') return value
  const writing: Writing = { ...limits, text: '', valuesLeft: limits.mostValues, open: new Set() }
  try {
    yield* write(value, writing)
  } catch (error) {
    writing.text += `[not readable: ${messageOf(error)}]`
  }
  return isOverlong(writing)
    ? `${writing.text}\n[not written out further: it has over ${limits.mostValues} parts]`
    : writing.text
}

/** The whole work at once, of a value that is no larger than what may be done at once. */
function atOnce(work: InParts<string>): string {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}

/** What was thrown, in words: the message of an error, or the value. Never throws. [TOOL5] */
export function textOfThrown(thrown: unknown, limitChars: number): string {
  try {
    if (thrown instanceof Error) return `${String(thrown.name)}: ${String(thrown.message)}`.slice(0, limitChars)
  } catch (error) {
    return `An error that cannot be read: ${messageOf(error)}`
  }
  const text = atOnce(writtenOut(thrown, { limitChars, mostValues: MOST_THROWN_VALUES }))
  return `The tool threw ${text || 'an empty text'}`.slice(0, limitChars)
}

function isFull(writing: Writing): boolean {
  return isOverlong(writing) || writing.text.length >= writing.limitChars
}

function isOverlong({ valuesLeft }: Writing): boolean {
  return valuesLeft <= 0
}

function messageOf(error: unknown): string {
  try {
    return error instanceof Error ? String(error.message).slice(0, 1_000) : typeof error
  } catch {
    // The message of an error may be a getter that throws again: then there are no words for it.
    return 'no message'
  }
}

function* write(value: unknown, writing: Writing): InParts<void> {
  if (isFull(writing)) return
  writing.valuesLeft -= 1
  if (writing.valuesLeft % PART_VALUES === 0) yield
  switch (typeof value) {
    case 'string':
      writing.text += JSON.stringify(value.slice(0, writing.limitChars))
      return
    case 'bigint':
    case 'boolean':
    case 'number':
      writing.text += String(value)
      return
    case 'undefined':
      writing.text += 'undefined'
      return
    case 'symbol':
    case 'function':
      writing.text += `[${typeof value}]`
      return
    case 'object':
      if (value === null) writing.text += 'null'
      else yield* writeObject(value, writing)
  }
}

function* writeObject(value: object, writing: Writing): InParts<void> {
  const { open } = writing
  if (open.has(value)) writing.text += '[circular]'
  else if (open.size >= MAX_DEPTH) writing.text += '[deeper]'
  else if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) writing.text += `[${value.byteLength} bytes]`
  else if (value instanceof Date)
    writing.text += Number.isNaN(value.getTime()) ? '[no date]' : `"${value.toISOString()}"`
  else if (value instanceof Error) writing.text += JSON.stringify(textOfThrown(value, writing.limitChars))
  else {
    open.add(value)
    if (Array.isArray(value)) yield* writeList(value, writing)
    else if (value instanceof Set) yield* writeList(value, writing)
    else yield* writeMembers(value instanceof Map ? value : memberNames(value), writing)
    open.delete(value)
  }
}

function* memberNames(value: object): Generator<readonly [unknown, unknown]> {
  for (const key of Object.keys(value)) {
    yield [key, Object.getOwnPropertyDescriptor(value, key)?.get ? read(value, key) : Reflect.get(value, key)]
  }
}

function read(value: object, key: string): unknown {
  try {
    return Reflect.get(value, key)
  } catch (error) {
    return `[not readable: ${messageOf(error)}]`
  }
}

function* writeList(values: Iterable<unknown>, writing: Writing): InParts<void> {
  writing.text += '['
  let isFirst = true
  for (const value of values) {
    if (isFull(writing)) break
    if (!isFirst) writing.text += ','
    isFirst = false
    yield* write(value, writing)
  }
  writing.text += ']'
}

function* writeMembers(members: Iterable<readonly [unknown, unknown]>, writing: Writing): InParts<void> {
  writing.text += '{'
  let isFirst = true
  for (const [key, value] of members) {
    if (isFull(writing)) break
    if (!isFirst) writing.text += ','
    isFirst = false
    yield* write(typeof key === 'string' ? key : yield* textOfValue(key, 1_000), writing)
    writing.text += ':'
    yield* write(value, writing)
  }
  writing.text += '}'
}
