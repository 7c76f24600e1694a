export { type AiSdkModelDependencies, createAiSdkModel } from './ai-sdk-model.ts'
export type { PackageMetadata } from './package-state.ts'
