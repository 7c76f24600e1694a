import {
  byteTokenizer,
  type CheckState,
  createModel,
  createSigner,
  type Sealed,
  type StrictModel,
} from '@holdfast/conformance'

/** The signer of all tests that call the checks directly. */
const signer = createSigner('tests')

/** What a check needs, for a model with the given behaviour. */
export function stateFor(model: Partial<StrictModel>): CheckState {
  return {
    model: createModel({ id: 'model-a', family: 'family-a', ...model }),
    tokenizer: byteTokenizer,
    signer,
    betas: [],
    counting: false,
  }
}

/** A signature of family-a that is bound to nothing. */
export function seal(content: string, more: Partial<Sealed>): string {
  return signer.seal({ family: 'family-a', content, prefix: '', previous: '', ...more })
}
