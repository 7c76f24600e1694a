/** Why the workspace did not do what was asked. */
export type FileRefusalCode =
  | 'bad-name'
  | 'outside'
  | 'not-found'
  | 'not-a-file'
  | 'not-a-folder'
  | 'exists'
  | 'protected'
  | 'hard-linked'
  | 'too-large'
  | 'not-text'
  | 'not-read'
  | 'conflict'
  | 'no-match'
  | 'system'

/** The workspace refused, and nothing was changed. The message is for the model: what is so, and what to do. */
export class FileRefusal extends Error {
  override readonly name = 'FileRefusal'
  readonly code: FileRefusalCode
  /** As it was given. */
  readonly path: string

  constructor({
    code,
    path,
    message,
    cause,
  }: {
    readonly code: FileRefusalCode
    readonly path: string
    readonly message: string
    readonly cause?: unknown
  }) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.path = path
  }
}

/** What the system says when a disk, a right or a name is the problem and not this program. */
const IN_WORDS: Readonly<Record<string, string>> = {
  EACCES: 'the system does not permit it',
  EPERM: 'the system does not permit it',
  EROFS: 'the disk can only be read',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file would be larger than the disk allows',
  EIO: 'the disk reported an error',
  ENAMETOOLONG: 'the name is too long for the disk',
  EMFILE: 'too many files are open; try again',
  ENFILE: 'too many files are open; try again',
  ENOTEMPTY: 'the folder is not empty',
  EBUSY: 'it is in use',
  ETXTBSY: 'it is running',
  ENOTSUP: 'the disk cannot do it',
  EXDEV: 'the two places are on different disks',
  EMLINK: 'the file has too many names',
  EINVAL: 'the disk does not take this name',
}

/** The code of a system error, or null for any other. */
export function systemCode(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && 'syscall' in error
    ? error.code
    : null
}

/** Does `work`, and turns the system's own refusals into words. Bugs pass through. */
export async function withSystemErrors<Value>(path: string, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    const code = systemCode(error)
    if (code === null) throw error
    // Between two steps somebody else removed, replaced or linked what was there.
    if (['ENOENT', 'ELOOP', 'ENOTDIR', 'EEXIST'].includes(code)) {
      const message = `${path} changed while it was used (${code}). Look at it again, then repeat.`
      throw new FileRefusal({ code: 'conflict', path, message, cause: error })
    }
    const words = IN_WORDS[code]
    if (words === undefined) throw error
    throw new FileRefusal({ code: 'system', path, message: `${path}: ${words} (${code}).`, cause: error })
  }
}
