export { type BedrockCredentials, type BedrockModelDeps, createBedrockModel } from './bedrock-model.ts'
