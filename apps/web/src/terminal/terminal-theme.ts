import type { ITheme } from '@xterm/xterm'

const ON_LIGHT: ITheme = {
  black: '#1c211e',
  red: '#a3232c',
  green: '#2a6934',
  yellow: '#7f5000',
  blue: '#2f4f93',
  magenta: '#5f4a86',
  cyan: '#12614f',
  white: '#7b786b',
  brightBlack: '#585f58',
  brightRed: '#c2303a',
  brightGreen: '#388443',
  brightYellow: '#9c6a10',
  brightBlue: '#4268b8',
  brightMagenta: '#7b62aa',
  brightCyan: '#1b7d67',
  brightWhite: '#454c47',
}

const ON_DARK: ITheme = {
  black: '#2b312c',
  red: '#f0908c',
  green: '#85c68c',
  yellow: '#ddb35a',
  blue: '#93b0f0',
  magenta: '#b9a3e3',
  cyan: '#6cc7ac',
  white: '#bdc2bb',
  brightBlack: '#747c75',
  brightRed: '#ffb3b0',
  brightGreen: '#a5e0ab',
  brightYellow: '#f2cd80',
  brightBlue: '#b4c9fa',
  brightMagenta: '#d3c3f5',
  brightCyan: '#8fe3c9',
  brightWhite: '#e8e8e1',
}

/** The colours of a terminal in an element, which has those of the page. */
export function themeOf(host: HTMLElement): ITheme {
  const { color: foreground, backgroundColor: background, caretColor, outlineColor } = getComputedStyle(host)
  const colours = isDark(background) ? ON_DARK : ON_LIGHT
  return {
    ...colours,
    foreground,
    background,
    cursor: caretColor,
    cursorAccent: background,
    selectionBackground: outlineColor,
    selectionInactiveBackground: outlineColor,
  }
}

function isDark(colour: string): boolean {
  const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map(Number)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue < 128
}
