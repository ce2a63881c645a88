import type { ToolServerSpec } from '../../plan/agents/adapter';
import { defined } from '../../plan/defined';
import { argv, variableNames, variables } from './agent-programs';
import { headers } from './endpoints';
import { type Fields, mapping, type Problems, type Reader, refuse, refuseKey, settingFields } from './fields';

const PROGRAM_KEYS = ['command', 'env', 'pass_env'] as const;
const ADDRESS_KEYS = ['url', 'headers'] as const;
/** Agents call a server's tools `mcp__NAME__TOOL`, in 64 characters. */
const NAME = /^[A-Za-z0-9](?:[A-Za-z0-9-]|_(?!_)){0,31}$/;

/** `mcp: {fs: {command: [program, …], env, pass_env}, docs: {url, headers}}`: servers of tools, by the name that agents list. */
export const toolServers: Reader<Record<string, ToolServerSpec>> = (value, name, problems) => {
  const found: Record<string, ToolServerSpec> = {};
  for (const [server, content] of Object.entries(mapping(value, name, problems) ?? {})) {
    const path = `${name}.${server}`;
    if (!NAME.test(server) || server.endsWith('_')) {
      refuseKey(problems, path, `"${path}": "${server}" is not a valid server name`, 'letters, digits, - and single _ within, 32 at most');
      continue;
    }
    const spec = toolServer(content, path, problems);
    if (spec) found[server] = spec;
  }
  return found;
};

function toolServer(content: unknown, path: string, problems: Problems): ToolServerSpec | undefined {
  const before = problems.length;
  const fields = settingFields(content, path, [...PROGRAM_KEYS, ...ADDRESS_KEYS], problems);
  if (!fields) return undefined;
  const [program, address] = [programOf(fields), addressOf(fields)];
  if (problems.length > before) return undefined;
  if (program.command && Object.keys(address).length === 0) return { kind: 'stdio', ...program, command: program.command };
  if (address.url !== undefined && Object.keys(program).length === 0) return { kind: 'http', ...address, url: address.url };
  refuseKey(problems, path, `"${path}" needs either a "command" (with "env", "pass_env") or a "url" (with "headers")`);
  return undefined;
}

function programOf(fields: Fields): Partial<Omit<ToolServerSpec & { kind: 'stdio' }, 'kind'>> {
  const [command, env, passEnv] = [fields.take('command', argv), fields.take('env', variables), fields.take('pass_env', variableNames)];
  return defined({ command, env, passEnv });
}

function addressOf(fields: Fields): Partial<Omit<ToolServerSpec & { kind: 'http' }, 'kind'>> {
  const [url, named] = [fields.take('url', serverUrl), fields.take('headers', headers)];
  return defined({ url, headers: named });
}

/**
 * A URL, unchanged: for some servers a slash at the end is a different place. It may contain no password, which would be shown with the
 * address.
 */
const serverUrl: Reader<string> = (value, name, problems) => {
  if (typeof value === 'string' && URL.canParse(value)) {
    const { protocol, username, password, hash } = new URL(value);
    if (/^https?:$/.test(protocol) && username === '' && password === '' && hash === '') return value;
  }
  refuse(problems, name, `"${name}" must be an address such as https://example.org/mcp, without a user or a password`);
  return undefined;
};
