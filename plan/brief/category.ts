/**
 * What a call of a tool costs or touches, in the words of a brief's `authorized_costs`. They are not the categories of action of
 * `plan/people/category.ts`, which need an approval for each call: both hold, and neither replaces the other.
 */
export const COST_CATEGORIES = [
  'filesystem_read',
  'filesystem_write',
  'filesystem_delete',
  'shell_exec',
  'http_fetch',
  'paid_api_call',
  'git_write',
  'git_push',
  'deploy',
  'external_message',
] as const;
export type NamedCategory = (typeof COST_CATEGORIES)[number];
/** `mcp_tool:server` is each tool of the server, `mcp_tool:server:tool` one of them. */
export type CostCategory = NamedCategory | `mcp_tool:${string}`;

/** What a program needs that an agent starts. */
export const SHELL = 'shell_exec' satisfies NamedCategory;

/** Covers every category. */
export const ANY_CATEGORY = '*';
const OF_SERVERS = 'mcp_tool:';

/**
 * Whether something granted covers a category that a call has: the same category, `*`, or for `mcp_tool:server:tool` also `mcp_tool:*`,
 * `mcp_tool:server` and `mcp_tool:server:*`. Upper and lower case differ.
 */
export function covers(granted: string, asked: string): boolean {
  if (granted === ANY_CATEGORY || granted === asked) return true;
  if (!granted.startsWith(OF_SERVERS) || !asked.startsWith(OF_SERVERS)) return false;
  const server = granted.slice(OF_SERVERS.length).replace(/:\*$/, '');
  return server === '*' || serverOf(asked) === server;
}

/** The categories of a call that nothing granted covers, each once. Reading files is always authorised. */
export function unauthorised(granted: readonly string[], asked: readonly CostCategory[]): CostCategory[] {
  const missing = asked.filter((category) => category !== 'filesystem_read' && !granted.some((entry) => covers(entry, category)));
  return [...new Set(missing)];
}

/** What is left of something granted if nothing may need a shell: of `*`, all that it covers besides. */
export function withoutShell(granted: string): string[] {
  if (!covers(granted, SHELL)) return [granted];
  return granted === SHELL ? [] : [...COST_CATEGORIES.filter((one) => one !== SHELL), `${OF_SERVERS}*`];
}

/** The category of a tool of a server. */
export function serverCategory(server: string, tool: string): CostCategory {
  return `${OF_SERVERS}${server}:${tool}`;
}

/** The server that an entry names; undefined if it names none, or all. */
export function serverOf(entry: string): string | undefined {
  const [, server] = SERVER_ENTRY.exec(entry) ?? [];
  return server;
}

/** Whether it may be written among `authorized_costs`, or as a category of a role. */
export function isGrant(text: string): boolean {
  return text === ANY_CATEGORY || text === `${OF_SERVERS}*` || SERVER_ENTRY.test(text) || isNamed(text);
}

/** Whether a call can have it: neither a wildcard nor a whole server. */
export function isCategory(text: string): text is CostCategory {
  return isNamed(text) || (serverOf(text) !== undefined && text.split(':').length === 3 && !text.endsWith(':*'));
}

/** A name has no `*` in it: a tool of that name would be granted its whole server. */
const SERVER_ENTRY = /^mcp_tool:([A-Za-z0-9_.-]+)(?::(?:[A-Za-z0-9_.-]+|\*))?$/;

function isNamed(text: string): text is NamedCategory {
  return (COST_CATEGORIES as readonly string[]).includes(text);
}
