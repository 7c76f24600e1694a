/** Code of the notice that says that a model's window counts as another from here on. [WIN8, RUN13] */
export const WINDOW_LEARNT = 'window-learnt'
