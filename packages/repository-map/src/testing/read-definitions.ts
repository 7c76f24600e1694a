import type { FileTags } from '../parse/file-tags.ts'
import { createTagParser, PARSE_LIMITS } from '../parse/tag-parser.ts'
import { readRepository } from '../repository/read-repository.ts'

/** A file of a folder and what it defines and refers to. */
export interface TaggedFile {
  readonly path: string
  readonly tags: FileTags
}

/** What all files of a folder define and refer to, for another ranking to be compared with ours. Reads in this thread. */
export async function readDefinitions(rootPath: string): Promise<readonly TaggedFile[]> {
  const order = { rootPath, git: null, closedPaths: [], hardLinks: 'use', limitMs: 120_000 } as const
  const parser = await createTagParser(PARSE_LIMITS)
  const { files, tags } = await readRepository(order, { known: null, parser })
  return files.flatMap(({ path }, index) => {
    const found = tags[index]
    return found === undefined ? [] : [{ path, tags: found }]
  })
}
