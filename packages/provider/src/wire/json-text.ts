import type { Json } from '@holdfast/conversation'

/**
 * JSON text that is written as it is. Parsing and writing it again would change it: numbers lose digits, keys that
 * look like numbers move to the front, doubled keys vanish.
 */
export class RawJson {
  readonly text: string

  /** @param text - one whole JSON value. */
  constructor(text: string) {
    this.text = text
  }
}

/** JSON, with parts of it as raw text. A key whose value is undefined is left out. */
export type WireJson =
  | string
  | number
  | boolean
  | null
  | RawJson
  | readonly WireJson[]
  | { readonly [key: string]: WireJson | undefined }

/** Writes JSON in the order of its keys, without spaces. The same value gives the same text. [REQ1] */
export function writeJson(value: WireJson | Json): string {
  if (value instanceof RawJson) return value.text
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  // Texts are added and not joined: a join copies all of a conversation once for each level.
  let text = ''
  if (isList(value)) {
    for (const member of value) text += `${text === '' ? '' : ','}${writeJson(member)}`
    return `[${text}]`
  }
  const members = Object.entries(value)
  if (!members.some(([, member]) => typeof member === 'object' && member !== null)) return JSON.stringify(value)
  for (const [key, member] of members)
    if (member !== undefined) text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${writeJson(member)}`
  return `{${text}}`
}

function isList(value: WireJson | Json): value is readonly WireJson[] {
  return Array.isArray(value)
}
