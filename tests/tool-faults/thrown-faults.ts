import type { FaultCase } from './fault-case.ts'
import { ownToolCase } from './own-tool.ts'

function unreadable(key: 'message' | 'name'): Error {
  return Object.defineProperty(new Error('x'), key, {
    get() {
      throw new Error('not even this')
    },
  })
}

function inCircle(): Error {
  const error = new Error('round')
  error.cause = error
  return error
}

class NotAnError {
  readonly code = 'ENOENT'
}

const THROWS: readonly (readonly [string, () => unknown, RegExp])[] = [
  ['an error', () => new Error('broken'), /^Error: broken$/],
  ['an error without a message', () => new Error(''), /^Error:/],
  ['an error of 10 MB', () => new Error('m'.repeat(10_000_000)), /^Error: m{1000}/],
  ['an error with control bytes', () => new Error('a\0b\u001b[2J'), /^Error: a\ufffdb/],
  ['an error with half a surrogate pair', () => new Error('a\udc00'), /^Error: a\ufffd$/],
  ['an error whose message cannot be read', () => unreadable('message'), /cannot be read: not even this/],
  ['an error whose name cannot be read', () => unreadable('name'), /cannot be read: not even this/],
  ['an error that is its own cause', inCircle, /^Error: round$/],
  ['many errors in one', () => new AggregateError([new Error('a'), new Error('b')], 'both'), /^AggregateError: both$/],
  ['the error of a stop that was none', () => new DOMException('Stopped', 'AbortError'), /^AbortError: Stopped$/],
  ['a text', () => 'just words', /^The tool threw just words$/],
  ['an empty text', () => '', /^The tool threw an empty text$/],
  ['nothing', () => undefined, /^The tool threw undefined$/],
  ['null', () => null, /^The tool threw null$/],
  ['a number', () => 7, /^The tool threw 7$/],
  ['a big integer', () => 12n, /^The tool threw 12$/],
  ['a symbol', () => Symbol('s'), /^The tool threw \[symbol\]$/],
  ['a function', () => () => {}, /^The tool threw \[function\]$/],
  ['an object', () => ({ code: 7 }), /^The tool threw \{"code":7\}$/],
  ['an instance of something else', () => new NotAnError(), /ENOENT/],
]

/** Whatever is thrown, at once or later, is an error for the model. [TOOL5] */
export const THROWN_FAULTS: readonly FaultCase[] = THROWS.flatMap(([name, make, says]) => [
  ownToolCase(
    `throws ${name} at once`,
    () => {
      throw make()
    },
    { outcome: 'error', says },
  ),
  ownToolCase(`throws ${name} later`, () => Promise.reject(make()), { outcome: 'error', says }),
])
