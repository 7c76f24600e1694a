/** The English words of the dock. */
export const dock = {
  'dock.workspace-dock': 'Workspace dock',
  'dock.opening': 'Opening…',
  'dock.close-inspector': 'Close inspector',
  'dock.close-tools': 'Close tools',
  'dock.close-canvas': 'Close canvas',
  'dock.canvas-with': 'Canvas, {count, plural, one {# element} other {# elements}}',
} as const
