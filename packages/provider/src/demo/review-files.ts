/** Files that the demo writes and then changes in several places, so that there is something to review. */
export interface ReviewFile {
  readonly name: string
  readonly before: string
  readonly after: string
}

const KETTLE = `// A kettle of the demo.
const COLD = 12
const HOT = 96

function createKettle() {
  let degrees = COLD
  let isOn = false

  function warm() {
    if (!isOn) return
    degrees = degrees + 7
    if (degrees > HOT) isOn = false
  }

  return {
    switchOn() {
      isOn = true
    },
    warm,
    degrees: () => degrees,
  }
}

function describe(kettle) {
  return 'The water has ' + kettle.degrees() + ' degrees.'
}
`

const TEAS = `Teas of the demo
Assam, 4 minutes
Sencha, 2 minutes
Rooibos, 7 minutes
Earl Grey, 4 minutes
`

/** Two files, as they are written first and as they are changed. */
export const REVIEW_FILES: readonly ReviewFile[] = [
  {
    name: 'kettle.js',
    before: KETTLE,
    after: KETTLE.replace('HOT = 96', 'HOT = 100')
      .replace('    degrees = degrees + 7\n', '    degrees = Math.min(HOT, degrees + 7)\n')
      .replace('    if (degrees > HOT) isOn = false\n', '    if (degrees === HOT) isOn = false\n')
      .replace(
        "  return 'The water has ' + kettle.degrees() + ' degrees.'",
        '  return `The water has ${kettle.degrees()} °C.`',
      ),
  },
  {
    name: 'teas.txt',
    before: TEAS,
    after: TEAS.replace('Sencha, 2 minutes\n', 'Sencha, 90 seconds\n').replace(
      'Earl Grey, 4 minutes\n',
      'Darjeeling, 3 minutes\n',
    ),
  },
]
