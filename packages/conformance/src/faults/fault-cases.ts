import type { FormatName } from '../format-name.ts'
import { FORMATS } from '../format-name.ts'
import type { Fault, PlacedFault } from './fault.ts'
import { FAULTS } from './faults.ts'

/** A fault at a place in a format. */
export interface FaultCase extends PlacedFault {
  readonly format: FormatName
}

/** What a format has no way to do. */
const IMPOSSIBLE: Readonly<Record<FormatName, readonly string[]>> = {
  anthropic: [],
  'openai-chat': [],
  'openai-responses': [],
  // Calls are whole objects without index or unparsed arguments, and no event begins the stream.
  gemini: [
    'arguments-invalid-json',
    'arguments-duplicate-keys',
    'arguments-not-an-object',
    'index-out-of-order',
    'start-twice',
  ],
  // The binary stream has no ping.
  'bedrock-converse': ['pings-only'],
  'bedrock-claude': [],
}

/** Whether a format can show the fault. */
function isPossible(fault: Fault, format: FormatName): boolean {
  return !IMPOSSIBLE[format].includes(fault.name)
}

/** Every fault at every one of its places in every format that can show it. */
export function allFaultCases(): readonly FaultCase[] {
  return FORMATS.flatMap((format) =>
    FAULTS.filter((fault) => isPossible(fault, format)).flatMap((fault) =>
      fault.places.map((place) => ({ format, fault, place })),
    ),
  )
}
