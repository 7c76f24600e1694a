/** The header in which a page shows its key. Browsers send a cookie to every port of a host; the key stays with the page. [SEC19] */
export const PAGE_KEY_HEADER = 'holdfast-page-key'

/** The protocol that the socket answers with where a client names protocols. */
export const SOCKET_PROTOCOL = 'holdfast'

/** What a page names beside it, with its key behind: a browser lets a socket carry no header. [SEC19] */
export const PAGE_KEY_PROTOCOL = 'holdfast-page-key.'

/** What the part of an address behind `#` begins with when it brings a page its key; no server is sent that part. */
export const PAGE_KEY_FRAGMENT = 'page-key='

/** What that part begins with when it brings the page the answer of a sign-in with an MCP server. [SEC23] */
export const MCP_SIGN_IN_FRAGMENT = 'mcp-sign-in?'

/** The query of an address in which a ticket stands, as the last one. [SEC19] */
export const TICKET_PARAMETER = 'ticket'
