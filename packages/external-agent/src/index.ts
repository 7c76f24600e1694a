export type { PaidBy } from './agent-choice.ts'
export { AgentFailure, type AgentFailureCode } from './agent-failure.ts'
export type { AgentChoices, ChoicesAsked } from './agent-offers.ts'
export type { AgentOffer, AgentTest, OfferedMode } from './agent-test.ts'
export {
  createExternalAgents,
  type ExternalAgents,
  type ExternalAgentsDeps,
  externalModelId,
} from './external-agents.ts'
export {
  type ExternalAgent,
  type GatewayAddress,
  type GatewayChoice,
  type GatewayForm,
  KNOWN_AGENTS,
  type KnownAgent,
  knownAgent,
  type PointedAgent,
} from './known-agents.ts'
export type { AgentGateway } from './live-agent.ts'
export type { SessionChoice } from './opened-session.ts'
export { cannotAsk, type PayableModel, payableModels } from './point-agent.ts'
