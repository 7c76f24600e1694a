export type { DemoAct, DemoProgress, DemoResult, DemoScenario } from './demo-act.ts'
export { createDemoModel } from './demo-model.ts'
export { DEMO_SCENARIOS, DEMO_WINDOW_TOKENS } from './scenarios.ts'
