/** Whether an error is the file system's, with one of these codes. */
export function isFileError(
  error: unknown,
  ...codes: readonly string[]
): error is NodeJS.ErrnoException & { code: string } {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.includes(error.code)
}

/** What the file system says when it refuses a write for good. */
export const REFUSED = ['EACCES', 'EPERM', 'EROFS']

/** What it says when a write fails that it would take at another time. */
export const FAILED = ['ENOSPC', 'EDQUOT', 'EIO']
