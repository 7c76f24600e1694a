import type { StrictModel } from './model.ts'
import type { Signer } from './signer.ts'
import type { Tokenizer } from './tokenizer.ts'

/** What a check knows beside the body. */
export interface CheckState {
  readonly model: StrictModel
  readonly tokenizer: Tokenizer
  readonly signer: Signer
  /** Names of beta features from the headers. */
  readonly betas: readonly string[]
  /** Whether only tokens are to be counted: limits of the answer need not be there. */
  readonly counting: boolean
}
