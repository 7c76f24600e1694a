import { hiddenCharacter, type Json } from '@holdfast/conversation'

/** The first hidden character in the texts and names of a value, or null. */
export function hiddenIn(value: Json): string | null {
  if (typeof value === 'string') return hiddenCharacter(value)
  if (typeof value !== 'object' || value === null) return null
  for (const [name, member] of Object.entries(value)) {
    const found = hiddenCharacter(name) ?? hiddenIn(member)
    if (found !== null) return found
  }
  return null
}
