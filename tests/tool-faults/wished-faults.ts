import { type Tool, toolOf } from '@holdfast/tool'
import type { FaultCall, FaultCase } from './fault-case.ts'
import { WORK } from './own-tool.ts'

const PARAMETERS = {
  type: 'object',
  properties: { path: { type: 'string', minLength: 1 }, count: { type: 'integer', maximum: 9 } },
  required: ['path'],
  additionalProperties: false,
}

const done = (tool: Tool) => () => ({ tools: () => [tool], close: async () => {} })
const strict = toolOf({ ...WORK, parameters: PARAMETERS }, () => 'it ran')
const loose = toolOf(WORK, () => 'it ran')
const unsure: Tool = {
  ...loose,
  check() {
    throw new Error('the schema is broken')
  },
}

function refused(name: string, inputText: string, says: RegExp): FaultCase {
  return { name, open: done(strict), calls: [{ tool: 'work', inputText, outcome: 'error', says, begins: false }] }
}

function unknown(name: string, tool: string): FaultCase {
  const calls = [{ tool, inputText: '{}', outcome: 'error', says: /There is no tool named/, begins: false }] as const
  return { name, open: done(strict), calls }
}

/** Inputs that nothing may be run with. [TOOL1, RUN10] */
const INPUTS: readonly FaultCase[] = [
  refused('is called with half of an input', '{"path": "a', /not JSON/),
  refused('is called with words', 'please work', /not JSON/),
  refused('is called with two inputs', '{"path":"a"}{"path":"b"}', /not JSON/),
  refused('is called with a comment', '{"path":"a" /* this one */}', /not JSON/),
  refused('is called with a number that is none', '{"path":"a","count":NaN}', /not JSON/),
  refused('is called with 100,000 levels', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, /not JSON|object/),
  refused('is called with nothing', '', /path/),
  refused('is called with null', 'null', /object/),
  refused('is called with a list', '["a"]', /object/),
  refused('is called with a text', '"a"', /object/),
  refused('is called without what it needs', '{}', /path/),
  refused('is called with another type', '{"path":7}', /path/),
  refused('is called with too little', '{"path":""}', /path/),
  refused('is called with too much', '{"path":"a","count":10}', /count/),
  refused('is called with half a number', '{"path":"a","count":1.5}', /count/),
  refused('is called with what it does not know', '{"path":"a","force":true}', /force/),
  {
    name: 'is called with 5 MB that fit',
    open: done(strict),
    calls: [
      {
        tool: 'work',
        inputText: JSON.stringify({ path: 'p'.repeat(5_000_000) }),
        outcome: 'ok',
        says: /^it ran$/,
        begins: true,
      },
    ],
  },
  {
    name: 'is called with a prototype, which is refused',
    open: done(strict),
    calls: [
      {
        tool: 'work',
        inputText: '{"path":"a","__proto__":{"force":true}}',
        outcome: 'error',
        says: /__proto__: must NOT have additional properties/,
        begins: false,
      },
    ],
  },
  {
    name: 'has a schema that throws',
    open: done(unsure),
    calls: [
      { tool: 'work', inputText: '{}', outcome: 'error', says: /could not be checked.*is broken/, begins: false },
    ],
  },
  unknown('is not there', 'missing'),
  unknown('is not there, by a name of every object', 'toString'),
  unknown('is not there, by the name of a prototype', '__proto__'),
  unknown('is not there, by a name of 5,000 letters', 'n'.repeat(5_000)),
  unknown('is not there, by a name in another alphabet', 'w\u043erk'),
]

/** Several calls of one step: what goes wrong with one is no other's. [TOOL7] */
function together(name: string, tools: readonly Tool[], calls: readonly FaultCall[]): FaultCase {
  return { name, open: () => ({ tools: () => tools, close: async () => {} }), calls }
}

const READ = { ...WORK, annotations: { readOnly: true } }
const good = toolOf({ ...READ, name: 'good' }, () => 'fine')
const bad = toolOf({ ...READ, name: 'bad' }, () => Promise.reject(new Error('broken')))
const slow = toolOf({ ...READ, name: 'slow', timeoutMs: 60 }, () => new Promise(() => {}))
const spoilt = toolOf({ ...WORK, name: 'spoilt' }, () => {
  throw new Error('spoilt')
})
const changed = toolOf({ ...WORK, name: 'changed' }, () => 'changed')
const fine: FaultCall = { tool: 'good', inputText: '{}', outcome: 'ok', says: /^fine$/, begins: true }
const broken: FaultCall = { tool: 'bad', inputText: '{}', outcome: 'error', says: /^Error: broken$/, begins: true }
const hanging: FaultCall = { tool: 'slow', inputText: '{}', outcome: 'timed-out', says: /timed out/, begins: true }
const failing: FaultCall = { tool: 'spoilt', inputText: '{}', outcome: 'error', says: /^Error: spoilt$/, begins: true }
const changing: FaultCall = { tool: 'changed', inputText: '{}', outcome: 'ok', says: /^changed$/, begins: true }
const missing: FaultCall = { tool: 'none', inputText: '{}', outcome: 'error', says: /no tool/, begins: false }

const TOGETHER: readonly FaultCase[] = [
  together('one of three reads fails', [good, bad], [fine, broken, { ...fine, inputText: '{"path":"b"}' }]),
  together('one of three reads never ends', [good, slow], [hanging, fine, { ...fine, inputText: '{"path":"b"}' }]),
  together('all reads fail in their own way', [bad, slow], [broken, hanging, missing]),
  together('a change fails before another', [spoilt, changed], [failing, changing]),
  together('a read fails before a change', [bad, changed], [broken, changing]),
  together('a tool is missing among others', [good, changed], [fine, missing, changing]),
]

/** What the model wishes for and cannot have. */
export const WISHED_FAULTS: readonly FaultCase[] = [...INPUTS, ...TOGETHER]
