import type { ProgramTool } from '../../../plan/agents/tool-names';
import { openclawEvents } from './openclaw-output';
import type { Granted, ProgramPreset } from './preset';

/** Its own names; https://docs.openclaw.ai/tools */
const TOOLS: Readonly<Record<ProgramTool, readonly string[]>> = {
  read_file: ['read'],
  write_file: ['write'],
  edit_file: ['edit', 'apply_patch'],
  list_files: ['ls', 'find'],
  grep: ['grep'],
  run: ['exec', 'process', 'bash'],
  fetch_url: ['web_fetch'],
};

/**
 * No flag of `openclaw agent` limits its tools: its own configuration does, for each agent (`args: [--agent, NAME]`). It reports the used
 * tools at the end, so overstepping is found too late to be stopped, but the reply is refused.
 *
 * `--local` runs the agent in the program itself: a gateway's run could not be ended with it. A session is chosen by id, and created if
 * there is none. https://docs.openclaw.ai/cli/agent
 */
export const OPENCLAW: ProgramPreset = {
  name: 'openclaw',
  command: ['openclaw', 'agent'],
  // By itself it stops after ten minutes, but the step decides how long it may take.
  flags: ['--local', '--json', '--timeout', '86400'],
  modelFlag: '--model',
  prompt: 'argument',
  promptFlag: '--message=',
  begin: (own) => [`--session-id=${own}`],
  resume: (session) => [`--session-id=${session}`],
  authority: (granted: Granted) => ({ flags: [], uses: [...granted].flatMap((tool) => TOOLS[tool]) }),
  toolNames: Object.fromEntries(Object.entries(TOOLS).flatMap(([ours, names]) => names.map((name) => [name, ours]))),
  output: { kind: 'document', events: (document) => openclawEvents(document) },
  passEnv: [
    'ANTHROPIC_API_KEY',
    'OPENAI_API_KEY',
    'GEMINI_API_KEY',
    'OPENROUTER_API_KEY',
    'OPENCLAW_CONFIG_PATH',
    'OPENCLAW_HOME',
    'OPENCLAW_STATE_DIR',
  ],
  version: ['--version'],
  tried: [],
  install: 'npm install -g openclaw',
};
