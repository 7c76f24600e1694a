export { readDefinitions, type TaggedFile } from './read-definitions.ts'
