export { buildPreviewScript } from './build-script.ts'
