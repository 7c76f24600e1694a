import { faultNamed, PLACES } from '../faults/faults.ts'
import { isRecord, type JsonRecord, textOf } from '../json.ts'
import type { Reply, ReplyPart } from '../reply.ts'

/** What a script file holds: replies in order, and what is answered after them. */
export interface ScriptFile {
  readonly replies: readonly Reply[]
  readonly otherwise: Reply | undefined
}

/** Reads a script file's JSON. @throws RangeError where it says something that a reply cannot be, naming the place. */
export function readScriptFile(value: unknown): ScriptFile {
  if (!isRecord(value)) throw new RangeError('A script file is a JSON object with replies')
  const { otherwise } = value
  const replies = value.replies === undefined ? [] : value.replies
  if (!Array.isArray(replies)) throw new RangeError('replies is a list')
  return {
    replies: replies.map((reply, index) => readReply(reply, `replies[${index}]`)),
    otherwise: otherwise === undefined ? undefined : readReply(otherwise, 'otherwise'),
  }
}

function readReply(value: unknown, path: string): Reply {
  if (!isRecord(value) || !Array.isArray(value.parts)) throw new RangeError(`${path} is an object with a list of parts`)
  const parts = value.parts.map((part, index) => readPart(part, `${path}.parts[${index}]`))
  return {
    parts,
    ...numbers(value, path),
    ...readFault(value.fault, path),
    ...(value.modelName === undefined ? {} : { modelName: textOf(value.modelName) }),
    ...(value.finish === undefined ? {} : { finish: oneOf(value.finish, FINISHES, `${path}.finish`) }),
    ...(value.usage === undefined ? {} : { usage: oneOf(value.usage, USAGES, `${path}.usage`) }),
  }
}

const FINISHES = [
  'end',
  'tool-calls',
  'max-tokens',
  'stop-sequence',
  'refusal',
  'paused',
  'window-exceeded',
  'unknown',
] as const
const USAGES = ['vendor', 'missing', 'negative', 'early'] as const
const NUMBERS = ['chunkChars', 'deltasPerSecond', 'firstByteAfterMs'] as const

function numbers(value: JsonRecord, path: string): { [Name in (typeof NUMBERS)[number]]?: number } {
  const read: { [Name in (typeof NUMBERS)[number]]?: number } = {}
  for (const name of NUMBERS) {
    const number = value[name]
    if (number === undefined) continue
    if (typeof number !== 'number' || !(number > 0)) throw new RangeError(`${path}.${name} is a number above 0`)
    read[name] = number
  }
  return read
}

function readFault(value: unknown, path: string): Pick<Reply, 'fault'> {
  if (value === undefined) return {}
  if (!isRecord(value)) throw new RangeError(`${path}.fault is an object with name and place`)
  return { fault: { fault: faultNamed(textOf(value.name)), place: oneOf(value.place, PLACES, `${path}.fault.place`) } }
}

function readPart(value: unknown, path: string): ReplyPart {
  if (!isRecord(value)) throw new RangeError(`${path} is an object`)
  switch (value.type) {
    case 'text':
    case 'thinking':
      if (typeof value.text !== 'string') throw new RangeError(`${path}.text is a string`)
      return { type: value.type, text: value.text }
    case 'tool-call': {
      const { name, input, id } = value
      if (typeof name !== 'string') throw new RangeError(`${path}.name is a string`)
      const call = { type: 'tool-call', name, input: input === undefined ? {} : input } as const
      return typeof id === 'string' || id === null ? { ...call, id } : call
    }
    case 'redacted-thinking':
    case 'unknown':
      return { type: value.type }
    // A type that no part has.
    default:
      throw new RangeError(`${path}.type is text, thinking, redacted-thinking, tool-call or unknown, not ${value.type}`)
  }
}

function oneOf<const Name extends string>(value: unknown, names: readonly Name[], path: string): Name {
  const found = names.find((name) => name === value)
  if (found === undefined) throw new RangeError(`${path} is one of ${names.join(', ')}, not ${JSON.stringify(value)}`)
  return found
}
