export { AgentFailure, type AgentFailureCode } from './agent-failure.ts'
export type { AgentTest } from './agent-test.ts'
export type { SessionMode } from './connection.ts'
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
