export { createDemoModel } from './demo-model.ts'
export { DEMO_SCENARIOS, type DemoAct, type DemoScenario } from './scenarios.ts'
