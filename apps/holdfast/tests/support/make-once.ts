import { madeOnce } from '../../src/made-once.ts'

/** A program that makes the file of its argument, or reads it, and says its text. */
const [, , path = ''] = process.argv
console.log(await madeOnce(path, () => `text of ${process.pid}`))
