import { canonicalJson } from '../canonical-json.ts'
import type { CallSubject } from './repeated-calls.ts'

/** The pattern that matches exactly this call. [PERM7] */
export function exactPattern({ input }: CallSubject): string {
  return `=${canonicalJson(input)}`
}
