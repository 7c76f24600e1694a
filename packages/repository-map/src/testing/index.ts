export { readTags, type TaggedFile } from './read-tags.ts'
