export { agentsOf, offered } from './agents.ts'
export { createManualClock, type ManualClock } from './manual-clock.ts'
export { begins, createScriptedModel, type ScriptedModel, type ScriptLine, says } from './scripted-model.ts'
