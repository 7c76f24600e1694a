import type { CheckState } from '../check-state.ts'
import type { PartSigner } from '../format.ts'
import { type JsonRecord, parseJson, textOf } from '../json.ts'

/** What a signature on a call covers. */
export function callText({ name, args }: JsonRecord): string {
  return textOf(name) + JSON.stringify(args ?? {})
}

/** A signature that does not stand on a call covers the thinking, which is never sent back. */
const THOUGHT = ''

/** Signs thinking, and of the calls of an answer the first. */
export function createGeminiSigner(_body: JsonRecord, { model, signer }: CheckState): PartSigner {
  const seal = (content: string) => signer.seal({ family: model.family, content, prefix: '', previous: '' })
  return (part, before) => {
    switch (part.type) {
      case 'thinking':
      case 'redacted-thinking':
        return seal(THOUGHT)
      case 'tool-call': {
        if (model.thinking === 'none' || before.some(({ type }) => type === 'tool-call')) return undefined
        const args = part.raw === undefined ? part.input : parseJson(part.raw)
        return seal(callText({ name: part.name, args }))
      }
      case 'text':
      case 'unknown':
        return undefined
    }
  }
}
