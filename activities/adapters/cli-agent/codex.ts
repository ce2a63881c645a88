import { codexEvents } from './codex-stream';
import type { Authority, Granted, ProgramPreset } from './preset';

export const CODEX: ProgramPreset = {
  name: 'codex',
  command: ['codex', 'exec'],
  flags: ['--json', '--skip-git-repo-check', '--color', 'never', '-c', 'approval_policy="never"'],
  modelFlag: '--model',
  prompt: 'stdin',
  stdinMark: '-',
  resume: (session) => ['resume', session],
  unknownSession: /no rollout found|thread not (?:found|loaded)|thread \S+ not found/i,
  authority,
  toolNames: { command_execution: 'run', file_change: 'edit_file', web_search: 'fetch_url' },
  output: { kind: 'lines', events: (line) => codexEvents(line) },
  countsSession: true,
  passEnv: ['CODEX_API_KEY', 'OPENAI_API_KEY', 'OPENAI_BASE_URL', 'CODEX_HOME'],
  version: ['--version'],
  loginStatus: ['login', 'status'],
  tried: ['0.169.0'],
  install: 'npm install -g @openai/codex',
};

const NO_TEMPORARY_FILES = ['exclude_slash_tmp', 'exclude_tmpdir_env_var'].flatMap((key) => ['-c', `sandbox_workspace_write.${key}=true`]);

/**
 * Its sandbox also lets programs write to the folders for temporary files, which a patch does not need.
 *
 * It reads files by running programs, so its permission to run is the sandbox: without `run` that is one that writes nothing. An agent that
 * may write but not run has no programs, and so cannot read either: it needs `run`. https://developers.openai.com/codex/config-reference
 * (`sandbox_mode`, `features.shell_tool`, `web_search`)
 */
function authority(granted: Granted): Authority {
  const has = (...tools: Parameters<Granted['has']>[0][]) => tools.some((tool) => granted.has(tool));
  const writes = has('write_file', 'edit_file');
  const programs = has('run') || (!writes && has('read_file', 'list_files', 'grep'));
  const searches = has('fetch_url');
  return {
    flags: [
      ...['--sandbox', writes || has('run') ? 'workspace-write' : 'read-only'],
      ...(programs ? [] : ['--disable', 'shell_tool']),
      // It reads pictures with a tool of its own, which the sandbox lets read.
      ...(has('read_file', 'run') ? [] : ['--disable', 'view_image']),
      ...(writes && !programs ? NO_TEMPORARY_FILES : []),
      ...['-c', `web_search="${searches ? 'live' : 'disabled'}"`],
    ],
    uses: [...(programs ? ['command_execution'] : []), ...(writes ? ['file_change'] : []), ...(searches ? ['web_search'] : [])],
  };
}
