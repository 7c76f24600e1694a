export { childEnvironment, ENVIRONMENT_ALLOWED } from './child-environment.ts'
export { createOutputKeeper, type KeptOutput, type OutputKeeper } from './kept-output.ts'
export { type ProcessEnd, type ProcessRun, runProcess } from './process-group.ts'
export { createProcessRegister, type ProcessRegister, type ProcessRegisterOptions } from './process-register.ts'
