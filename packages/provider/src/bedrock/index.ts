export { type BedrockCredentials, type BedrockModelDependencies, createBedrockModel } from './bedrock-model.ts'
