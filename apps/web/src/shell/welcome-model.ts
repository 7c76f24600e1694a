import type { ModelsAnswer } from '@holdfast/protocol'
import { isDemo, type ModelInUse } from '../composer/context/model-choice.ts'
import type { WelcomeModel } from './welcome.tsx'

/** Who would answer here, as an empty conversation tells it. */
export function welcomeModel(models: ModelsAnswer | undefined, answering: ModelInUse): WelcomeModel {
  if (models === undefined) return 'unknown'
  if (!isDemo(answering)) return 'real'
  const isAlone = models.providers.every(({ models: rows }) => rows.every((row) => isDemo({ modelId: row.id, row })))
  return isAlone ? 'demo-alone' : 'demo'
}
