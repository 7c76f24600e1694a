export { readPreviewScript } from './read-script.ts'
