import type { EnginePorts } from '../api/ports.ts'
import { unknownModel } from '../api/refused-command-error.ts'

/** @throws {RefusedCommandError} */
export function checkModel(ports: EnginePorts, modelId: string): void {
  if (!ports.models().some((model) => model.modelId === modelId)) throw unknownModel(modelId)
}
