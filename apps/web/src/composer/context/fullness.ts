import type { ContextAnswer } from '@holdfast/client'

/** How full the window looks. Each has its own look, told by words and a mark beside its colour. */
export type Fullness = 'calm' | 'filling' | 'near' | 'critical' | 'over' | 'unknown'

/** By the percentage that is shown, so that the words and the look never differ. [UI14] */
export function fullnessOf({ percent }: Pick<ContextAnswer, 'percent'>): Fullness {
  if (percent === null) return 'unknown'
  if (percent > 100) return 'over'
  if (percent >= 90) return 'critical'
  if (percent >= 75) return 'near'
  return percent >= 60 ? 'filling' : 'calm'
}
