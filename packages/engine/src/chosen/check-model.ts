import type { EnginePorts } from '../api/ports.ts'
import { unknownModel } from '../api/refused-command-error.ts'

/** Refuses a model that there is not, so that what is chosen can answer. @throws {RefusedCommandError} */
export function checkModel(ports: Pick<EnginePorts, 'models'>, modelId: string): void {
  if (!ports.models().some((model) => model.modelId === modelId)) throw unknownModel(modelId)
}
