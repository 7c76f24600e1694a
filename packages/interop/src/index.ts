export { createGateway, type Gateway, type GatewayDeps } from './gateway/gateway.ts'
export type { GatewayModel, GatewayProvider } from './gateway/gateway-provider.ts'
export { createInterop, type Interop } from './interop.ts'
