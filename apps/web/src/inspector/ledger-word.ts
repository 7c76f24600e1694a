import type { Ledger } from '@holdfast/conversation'
import type { Cost } from '../shared/cost-words.ts'

/** The word for what a conversation cost when only the demo model answered in it; null where it is an amount. */
export function ledgerWord({ byModel }: Ledger): Cost['word'] {
  const models = Object.keys(byModel)
  return models.length > 0 && models.every((model) => model.startsWith('demo/')) ? 'demo' : null
}
