/** What the body of a request says that the ledger wants to know. It is read, and passed on as it came. */
export interface AskedBody {
  readonly model: string | null
  readonly maxOutputTokens: number | null
  /** All words in it; pictures and files in base64 are left out. */
  readonly words: string
}

/** Longer than any word of a text, and still no picture. */
const LONGEST_UNBROKEN = 2_000

/** Reads a body; of one that is no JSON nothing is known. */
export function readBody(bytes: Buffer): AskedBody {
  const value = parsed(bytes)
  const words: string[] = []
  collect(value, words)
  const body: Readonly<Record<string, unknown>> = isRecord(value) ? value : {}
  const generation = isRecord(body.generationConfig) ? body.generationConfig : {}
  const most = [body.max_tokens, body.max_completion_tokens, body.max_output_tokens, generation.maxOutputTokens]
  return {
    model: typeof body.model === 'string' ? body.model : null,
    maxOutputTokens: most.find(isCount) ?? null,
    words: words.join('\n'),
  }
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

function collect(value: unknown, into: string[]): void {
  const open = [value]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === 'string') {
      if (next.length <= LONGEST_UNBROKEN || /\s/.test(next.slice(0, LONGEST_UNBROKEN))) into.push(next)
    } else if (typeof next === 'object' && next !== null) for (const one of Object.values(next)) open.push(one)
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0
}
