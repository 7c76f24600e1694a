import type { ModelPrice } from '@holdfast/provider'

/** Who is paid for a request. */
export interface Billed {
  readonly providerId: string
  readonly modelId: string
  readonly price: ModelPrice | null
}
