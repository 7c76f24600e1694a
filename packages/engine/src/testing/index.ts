export { createManualClock, type ManualClock } from './manual-clock.ts'
export { begins, createScriptedModel, type ScriptedModel, type ScriptLine, says } from './scripted-model.ts'
export type { PlantedBug } from './simulation/planted-bug.ts'
export { PLANTED_BUGS } from './simulation/planted-bugs.ts'
export type { SealThinking } from './simulation/replica.ts'
export type { FormatChecks } from './simulation/request-rules.ts'
export { type SimulationReport, simulate } from './simulation/simulate.ts'
export type {
  DurableLook,
  MachineDefect,
  MachineFailure,
  MachineParts,
  SimulatedMachine,
} from './simulation/simulated-machine.ts'
export type { SimulationOptions } from './simulation/simulation-options.ts'
export type { Violation } from './simulation/violation.ts'
