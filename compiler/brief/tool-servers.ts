import { isSecretHeader } from '../../plan/agents/adapter';
import { isServerName } from '../../plan/agents/tool-names';
import type { Located, Report } from '../diagnostics/diagnostic';
import { checkCount, MOST } from './limits';

const SERVER = /^([^\s=]+)\s*=\s*(\S.*)$/s;

/** Servers of tools by name. A command is words with blanks between them, as openwar has it. */
export function serversOf(servers: readonly Located<string>[], report: Report): Record<string, string[]> {
  checkCount('mcp_servers', servers, MOST.servers, report);
  const found = new Map<string, string[]>();
  for (const { value, at } of servers) {
    const [, name = '', command = ''] = SERVER.exec(value.trim()) ?? [];
    if (!isServerName(name)) {
      report(
        'brief.bad-server',
        at,
        `"${value}" is not a server of tools`,
        'write `name=command`, such as `files=npx -y server-files ./`; names have letters, digits, "-" and single "_", 32 at most',
      );
    } else if (found.has(name)) report('brief.bad-server', at, `the server "${name}" appears twice`, 'remove one of the two');
    else {
      warnOfKeys(name, command, at, report);
      found.set(name, command.trim().split(/\s+/));
    }
  }
  return Object.fromEntries(found);
}

/** The command is in the plan, and in what `show` prints. */
function warnOfKeys(name: string, command: string, at: Located<string>['at'], report: Report): void {
  const hint = `set the server up under \`mcp\` of thermidor.yaml, with \`env: {NAME: "secret://env/NAME"}\`, and remove it here`;
  if (command.includes('secret://'))
    report('secret.not-resolved', at, `the server "${name}" has a reference to a secret, which is passed as it is written`, hint);
  else if (hasKey(command))
    report('brief.written-key', at, `the command of the server "${name}" has a key in it, which is kept with the run`, hint);
}

/** A value of a flag, variable or header whose name says so, a password in an address, or the form that services give to their keys. */
function hasKey(command: string): boolean {
  const words = command.trim().split(/\s+/);
  return words.some((word, at) => {
    const [, dashes, name = '', value] = /^["']?(--?)?([A-Za-z][\w-]*)(?:[=:](.*))?$/.exec(word) ?? [];
    const given = value || ((dashes || value === '') && words[at + 1]);
    const isKey = isSecretHeader(name) && !/(?:file|path|dir|store)$/i.test(name);
    return (isKey && given && !given.startsWith('-')) || /:\/\/[^/@:]*:[^/@]+@/.test(word) || SERVICE_KEY.test(word);
  });
}

const SERVICE_KEY = /\b(?:sk-|ghp_|github_pat_|xox[abp]-|AKIA)[\w-]{8}/;
