export type { PaidBy } from './agent-choice.ts'
export { AgentFailure, type AgentFailureCode } from './agent-failure.ts'
export type { AgentChoices, ChoicesAsked } from './agent-offers.ts'
export type { AgentOffer, AgentTest, OfferedMode } from './agent-test.ts'
export {
  createExternalAgents,
  type ExternalAgents,
  type ExternalAgentsDeps,
  externalModelId,
  type HouseTools,
  type OfferedTools,
} from './external-agents.ts'
export type { HouseAddress, HouseBridge } from './house-address.ts'
export type { HouseAnswer } from './house-calls.ts'
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
export type { SessionChoice } from './parts/opened-session.ts'
export { cannotAsk, type PayableModel, payableModels } from './point-agent.ts'
