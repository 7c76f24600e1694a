import { familyEstimator, ratioOf, type TokenEstimator, tokenRatios } from '@holdfast/context'
import { expect, test } from 'vitest'

test('[COST5] tokens are counted by the estimator that is given, before anything is measured', () => {
  const model = { providerId: 'own', modelId: 'house-model' }
  const own: TokenEstimator = { tokenWeight: ({ modelId }) => (modelId === 'house-model' ? 5 : 1) }
  expect(ratioOf(tokenRatios.initial, model)).toBe(familyEstimator.tokenWeight(model))
  expect(ratioOf(tokenRatios.initial, model, own)).toBe(5)
  const learnt = { ...tokenRatios.initial, models: { 'own/house-model': { weight: 40_000, tokens: 10_000 } } }
  expect(ratioOf(learnt, model, own)).toBeCloseTo(4.04, 2)
})
