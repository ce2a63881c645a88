import type { ToolServerSpec } from '../../plan/agents/adapter';
import { isServerName } from '../../plan/agents/tool-names';
import { defined } from '../../plan/defined';
import { argv, variableNames, variables } from './agent-programs';
import { headers } from './endpoints';
import { must, named, type Reader, record, refuseKey } from './fields';

/** `mcp: {fs: {command: [program, …], env, pass_env}, docs: {url, headers}}`: servers of tools, by the name that agents list. */
export const toolServers: Reader<Record<string, ToolServerSpec>> = named((content, path, problems, server) => {
  if (isServerName(server)) return toolServer(content, path, problems);
  refuseKey(problems, path, `"${path}": "${server}" is not a valid server name`, 'letters, digits, - and single _ within, 32 at most');
  return undefined;
});

const toolServer: Reader<ToolServerSpec> = (content, path, problems) => {
  const before = problems.length;
  const { command, env, pass_env: passEnv, url, headers } = SERVER(content, path, problems) ?? {};
  if (problems.length > before) return undefined;
  const [program, address] = [defined({ env, passEnv }), defined({ headers })];
  if (command && url === undefined && headers === undefined) return { kind: 'stdio', ...program, command };
  if (url !== undefined && command === undefined && Object.keys(program).length === 0) return { kind: 'http', ...address, url };
  refuseKey(problems, path, `"${path}" needs either a "command" (with "env", "pass_env") or a "url" (with "headers")`);
  return undefined;
};

/**
 * A URL, unchanged: for some servers a slash at the end is a different place. It may contain no password, which would be shown with the
 * address.
 */
const serverUrl = must('an address such as https://example.org/mcp, without a user or a password', (value) => {
  if (typeof value !== 'string' || !URL.canParse(value)) return undefined;
  const { protocol, username, password, hash } = new URL(value);
  return /^https?:$/.test(protocol) && username === '' && password === '' && hash === '' ? value : undefined;
});

const SERVER = record({ command: argv, env: variables, pass_env: variableNames, url: serverUrl, headers });
