/** Folders that tools for packages fill with what others wrote, by their usual names. */
const PACKAGE_FOLDERS: ReadonlySet<string> = new Set([
  ...['node_modules', 'bower_components', 'jspm_packages', '.yarn', '.pnpm-store', 'vendor', 'third_party'],
  ...['.venv', 'venv', 'site-packages', 'dist-packages', 'Pods', 'Carthage', '.cargo', '.gradle', '.m2'],
])

/** Whether a folder of that name holds packages. */
export function isPackageFolder(name: string): boolean {
  return PACKAGE_FOLDERS.has(name)
}

/** Whether a path leads into a folder of packages; the folder itself is not in it. */
export function liesInPackages(segments: readonly string[]): boolean {
  return segments.slice(0, -1).some(isPackageFolder)
}
