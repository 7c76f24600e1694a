export { createGoogleModel, type GoogleModelDependencies } from './google-model.ts'
