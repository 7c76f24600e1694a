/** The name under which agents are told of the server of house tools. */
export const HOUSE = 'holdfast'
