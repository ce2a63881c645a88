import type { BuiltInToolName } from '../../plan/agents/tool-names';

/** Our names for the tools of common coding agents. */
const USUAL: Readonly<Record<string, BuiltInToolName>> = {
  Read: 'read_file',
  read: 'read_file',
  read_many_files: 'read_file',
  Write: 'write_file',
  write: 'write_file',
  Edit: 'edit_file',
  MultiEdit: 'edit_file',
  edit: 'edit_file',
  replace: 'edit_file',
  LS: 'list_files',
  Glob: 'list_files',
  list: 'list_files',
  glob: 'list_files',
  list_directory: 'list_files',
  Grep: 'grep',
  grep_search: 'grep',
  search_file_content: 'grep',
  Bash: 'run',
  bash: 'run',
  run_shell_command: 'run',
  WebFetch: 'fetch_url',
  webfetch: 'fetch_url',
  web_fetch: 'fetch_url',
};

/** Tools that have no counterpart here or need no listing, each with its hint. */
const WITHOUT_COUNTERPART: Readonly<Record<string, string>> = {
  ...all(['WebSearch', 'websearch', 'google_web_search'], 'a server of tools can search: list mcp__server'),
  ...all(['Task', 'Agent', 'task'], 'an agent gives work to others by sessions_spawn'),
  ...all(['Skill', 'skill', 'activate_skill'], 'an agent with `skills` has load_skill'),
  ...all(
    ['TodoWrite', 'TodoRead', 'todowrite', 'todoread', 'write_todos', 'save_memory', 'NotebookRead', 'NotebookEdit', 'BashOutput'],
    'leave it out',
  ),
  ...all(['KillBash', 'KillShell', 'SlashCommand', 'ExitPlanMode', 'AskUserQuestion', 'ask_user', 'question', 'lsp'], 'leave it out'),
  ...all(['ListMcpResourcesTool', 'ReadMcpResourceTool', 'ToolSearch'], 'leave it out'),
};

function all(names: readonly string[], hint: string): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, hint]));
}

/** Our name for a tool that others call otherwise. */
export function usualNameOf(name: string): BuiltInToolName | undefined {
  return Object.hasOwn(USUAL, name) ? USUAL[name] : undefined;
}

/** What to do about a foreign tool that has no counterpart here; undefined for every other name. */
export function adviceInsteadOf(name: string): string | undefined {
  return Object.hasOwn(WITHOUT_COUNTERPART, name) ? WITHOUT_COUNTERPART[name] : undefined;
}
