export { AgentFailure, type AgentFailureCode } from './agent-failure.ts'
export type { AgentTest } from './agent-test.ts'
export type { SessionMode } from './connection.ts'
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
