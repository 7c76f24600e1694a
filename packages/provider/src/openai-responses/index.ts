export { createResponsesModel, type ResponsesModelDependencies } from './responses-model.ts'
