import type { ProgramTool } from '../../../plan/agents/tool-names';
import { claudeEvents } from './claude-stream';
import type { Authority, Granted, ProgramPreset } from './preset';

/** Its own names of the tools; `--tools` limits it to these. https://code.claude.com/docs/en/cli-reference */
const TOOLS: Readonly<Record<ProgramTool, readonly string[]>> = {
  read_file: ['Read'],
  write_file: ['Write'],
  edit_file: ['Edit'],
  list_files: ['Glob'],
  grep: ['Grep'],
  run: ['Bash'],
  fetch_url: ['WebFetch'],
};

export const CLAUDE: ProgramPreset = {
  name: 'claude',
  command: ['claude'],
  // With `-p` it trusts the folder it works in, whose settings may hold commands to run and another address for its key: so only the user's
  // settings are read. Only its partial messages say where a reply ends, and what the whole of it has used.
  flags: [
    ...['-p', '--output-format', 'stream-json', '--verbose', '--include-partial-messages'],
    ...['--strict-mcp-config', '--setting-sources', 'user'],
  ],
  modelFlag: '--model',
  systemFlag: '--append-system-prompt',
  prompt: 'stdin',
  // As one word, so that an id cannot be mistaken for a flag.
  resume: (session) => [`--resume=${session}`],
  fork: (session) => [`--resume=${session}`, '--fork-session'],
  unknownSession: /No conversation found/i,
  authority,
  toolNames: Object.fromEntries(Object.entries(TOOLS).flatMap(([ours, names]) => names.map((name) => [name, ours]))),
  output: { kind: 'lines', events: (line) => claudeEvents(line) },
  passEnv: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'ANTHROPIC_BASE_URL', 'CLAUDE_CODE_OAUTH_TOKEN', 'CLAUDE_CONFIG_DIR'],
  version: ['--version'],
  loginStatus: ['auth', 'status'],
  tried: ['2.1.197'],
  install: 'npm install -g @anthropic-ai/claude-code',
};

/**
 * Reading is allowed without a question within the working folder, and nowhere else; `acceptEdits` is the same for writing. So only
 * programs and the network need a rule. Anything else it would have to ask for is denied, as nobody is there to answer.
 * https://code.claude.com/docs/en/permission-modes
 */
function authority(granted: Granted): Authority {
  const uses = [...granted].flatMap((tool) => TOOLS[tool]);
  const ruled = (['run', 'fetch_url'] as const).filter((tool) => granted.has(tool)).flatMap((tool) => TOOLS[tool]);
  const writes = granted.has('write_file') || granted.has('edit_file');
  return {
    flags: [
      ...['--tools', uses.join(',')],
      ...(ruled.length > 0 ? ['--allowedTools', ruled.join(',')] : []),
      // After the two flags that take every word up to the next flag.
      ...['--permission-mode', writes ? 'acceptEdits' : 'default'],
    ],
    uses,
  };
}
