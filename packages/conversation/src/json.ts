import * as z from 'zod'

/** Any value that JSON can carry without loss. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }

/** Deeper JSON is refused: what takes it apart calls itself at each level, and the stack has an end. [SEC5] */
const MOST_LEVELS = 1_000

/**
 * Checks that a value is JSON. By hand: the definitions of tools are long and stand in every conversation, and a union that
 * is tried at each of their nodes takes ten times as long.
 */
export const Json: z.ZodType<Json> = z.custom<Json>(
  (value) => isJson(value, MOST_LEVELS),
  `Invalid input: this is not JSON of at most ${MOST_LEVELS} levels`,
)

function isJson(value: unknown, levels: number): boolean {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return true
    case 'number':
      return Number.isFinite(value)
    case 'object':
      if (value === null) return true
      if (levels === 0) return false
      if (Array.isArray(value)) return value.every((item) => isJson(item, levels - 1))
      return isPlain(value) && Object.values(value).every((item) => isJson(item, levels - 1))
    default:
      return false
  }
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
