import type { CheckState } from '../check-state.ts'
import type { PartSigner } from '../format.ts'
import { isRecord, type JsonRecord, listOf, textOf } from '../json.ts'

/** The summary of a reasoning item as one text. */
export function reasoningText({ summary }: JsonRecord): string {
  return listOf(summary)
    .filter(isRecord)
    .map(({ text }) => textOf(text))
    .join('')
}

/** Makes the encrypted content of reasoning: readable by the model's family, for this summary. */
export function createResponsesSigner(_body: JsonRecord, { model, signer }: CheckState): PartSigner {
  return (part) => {
    if (part.type !== 'thinking' && part.type !== 'redacted-thinking') return undefined
    const content = part.type === 'thinking' ? part.text : ''
    return signer.seal({ family: model.family, content, prefix: '', previous: '' })
  }
}
