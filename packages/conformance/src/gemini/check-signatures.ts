import type { CheckState } from '../check-state.ts'
import { textOf } from '../json.ts'
import type { Refusal } from '../violation.ts'
import type { Content, Part } from './contents.ts'
import { refuse } from './refuse.ts'
import { callText } from './sealing.ts'

/** What stands for the signature of a call that this model did not make. */
const SENTINELS = ['skip_thought_signature_validator', 'context_engineering_is_the_way_to_go']

/** The first call of each step of the current turn carries its signature, and every signature is one of ours. */
export function checkSignatures(contents: readonly Content[], state: CheckState): readonly Refusal[] {
  const turn = contents.findLastIndex(
    ({ role, parts }) => role === 'user' && parts.some(({ response }) => response === undefined),
  )
  return contents.flatMap((content, index) => [
    ...(index > turn ? checkFirstCall(content, index, state) : []),
    ...content.parts.flatMap((part) => checkSignature(part, state)),
  ])
}

function checkFirstCall({ role, parts }: Content, index: number, { model }: CheckState): readonly Refusal[] {
  const first = parts.find(({ call }) => call !== undefined)
  if (model.callSignatures === 'optional' || role !== 'model' || first === undefined || first.signature !== '')
    return []
  const message =
    'Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, ' +
    'and missing thought_signature may lead to degraded model performance. ' +
    `Additional data, function call \`default_api:${textOf(first.call?.name)}\` , position ${index + 1}. ` +
    'Please refer to https://ai.google.dev/gemini-api/docs/thought-signatures for more details.'
  return [refuse('M2', first.path, message)]
}

function checkSignature({ path, signature, call }: Part, { model, signer }: CheckState): readonly Refusal[] {
  if (signature === '' || SENTINELS.includes(signature)) return []
  const opened = signer.open(signature)
  const isOurs =
    opened !== undefined && (opened.family === model.family || model.readsThinkingOf.includes(opened.family))
  if (isOurs && (call === undefined || opened.covers(callText(call)))) return []
  return [refuse('M2', path, 'Corrupted thought signature.')]
}
