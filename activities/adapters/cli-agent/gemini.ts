import type { ProgramTool } from '../../../plan/agents/tool-names';
import { geminiEvents } from './gemini-stream';
import type { Authority, Granted, ProgramPreset } from './preset';

/** Its own names; https://geminicli.com/docs/reference/tools/ */
const TOOLS: Readonly<Record<ProgramTool, readonly string[]>> = {
  read_file: ['read_file', 'read_many_files'],
  write_file: ['write_file'],
  edit_file: ['replace'],
  list_files: ['list_directory', 'glob'],
  grep: ['grep_search', 'search_file_content'],
  run: ['run_shell_command'],
  fetch_url: ['web_fetch'],
};

const POLICY = 'thermidor.toml';

export const GEMINI: ProgramPreset = {
  name: 'gemini',
  command: ['gemini'],
  flags: ['--output-format', 'stream-json', '--approval-mode', 'default'],
  modelFlag: '--model',
  prompt: 'stdin',
  resume: (session) => [`--resume=${session}`],
  unknownSession: /Invalid session identifier|No previous sessions found/i,
  authority,
  toolNames: Object.fromEntries(Object.entries(TOOLS).flatMap(([ours, names]) => names.map((name) => [name, ours]))),
  output: { kind: 'lines', events: (line) => geminiEvents(line) },
  // https://geminicli.com/docs/cli/headless/ and the exit codes of its fatal errors.
  exitCodes: { 41: 'model.unauthorized', 53: 'agent.turns-used-up', 55: 'adapter.unavailable' },
  passEnv: [
    'GEMINI_API_KEY',
    'GOOGLE_API_KEY',
    'GOOGLE_APPLICATION_CREDENTIALS',
    'GOOGLE_CLOUD_LOCATION',
    'GOOGLE_CLOUD_PROJECT',
    'GOOGLE_GENAI_USE_VERTEXAI',
    'GEMINI_CLI_HOME',
    'GEMINI_CLI_TRUST_WORKSPACE',
  ],
  version: ['--version'],
  tried: ['0.61.0'],
  install: 'npm install -g @google/gemini-cli',
};

/**
 * A policy that denies everything except what is granted. A tool that is denied unconditionally is not even shown to the model; tools that
 * would need a question are denied because nobody is there. https://geminicli.com/docs/reference/policy-engine/
 *
 * Without a terminal it does not start in an untrusted folder, and in a trusted one it runs commands from the folder's settings, regardless
 * of the policy. So the user's configuration decides: `GEMINI_CLI_TRUST_WORKSPACE`, or `--skip-trust` among `args`.
 */
function authority(granted: Granted): Authority {
  const uses = [...granted].flatMap((tool) => TOOLS[tool]);
  const rules = [rule(['*'], 'deny', 1)];
  if (uses.length > 0) rules.push(rule(uses, 'allow', 2));
  return { flags: [`--admin-policy={files}/${POLICY}`], uses, files: { [POLICY]: rules.join('\n') } };
}

function rule(tools: readonly string[], decision: 'allow' | 'deny', priority: number): string {
  const lines = ['[[rule]]', `toolName = ${JSON.stringify(tools)}`, `decision = "${decision}"`, `priority = ${priority}`];
  if (decision === 'allow' && tools.includes('run_shell_command')) lines.push('allowRedirection = true');
  return `${lines.join('\n')}\n`;
}
