/** The English words of parts that are read behind the first script. */
export const seldom = {
  'answer.about-tokens-of': 'About {used} tokens would be sent; the model takes {window}.',
  'answer.choose-a-larger-window': 'Choose a larger window',
  'answer.choose-a-model': 'Choose a model',
  'answer.connect-another': 'Connect another',
  'answer.copy-the-command-that-installs': 'Copy the command that installs it',
  'answer.send-without-tools': 'Send without tools',
  'answer.summarise': 'Summarise',
  'settings.back-to-the-conversation': 'Back to the conversation',
  'settings.no-setting-is-called': 'No setting is called “{words}”.',
  'settings.search-settings': 'Search settings',
  'composer.written-before-an-update': 'Written before an update, and not sent:',
  'presets.where': 'Where is it to work?',
  'tools.lines-before':
    '{lines, plural, one {# line} other {# lines}} before this, {characters, plural, one {# character} other {# characters}}.',
  'tools.lines-after':
    '… {lines, plural, one {# more line} other {# more lines}}, {characters, plural, one {# character} other {# characters}}.',
  'tools.part-before': 'Show the part before',
  'tools.part-after': 'Show the next part',
  'tools.not-shown':
    'You have not been shown all of it. Missing: {lines, plural, one {# line} other {# lines}} ({characters, plural, one {# character} other {# characters}}). Allow holds for that, too.',
  'tools.not-all-shown': 'Not all of one of these was shown: that one is answered by itself.',
  'tools.not-compared': 'At most so many: the texts repeat too much to be compared line by line.',
  'tools.outside-of-its-folder': "Outside of the agent's folder.",
  'tools.belongs-to-git': 'It belongs to git, which may run what stands there.',
} as const
