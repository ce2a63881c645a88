import type { CostCategory } from '../brief/category';
import { defined } from '../defined';

/**
 * The tools that every worker has, in the order in which they are shown. The compiler checks agents against it, the docs list it, and
 * `activities/tools/tool-table.ts` has a row for each.
 */

export interface BuiltInTool {
  name: string;
  /** One line. */
  doc: string;
  /** Touches files, programs or the network: only agents that list it have it. */
  listedOnly?: true;
  /** Every agent has it, except one that may use no tools. */
  always?: true;
  /** Comes with a key of the step; agents do not list it. */
  unlisted?: true;
  /** It changes files in the step's folder, or may. */
  changesFiles?: true;
  /** Agents' programs (`activities/adapters/cli-agent/`) have a tool of their own that does it. */
  programs: boolean;
  /** What a call needs a brief’s authorisation for, whatever its arguments; `plan/brief/tool-categories.ts` adds what these tell. */
  costs: readonly CostCategory[];
}

export const BUILT_IN_TOOLS = [
  { name: 'sessions_spawn', doc: 'gives a task to another agent, which works on it independently', programs: false, costs: [] },
  { name: 'sessions_send', doc: 'asks another agent and waits for its answer', programs: false, costs: [] },
  { name: 'sessions_list', doc: 'lists the agents it can call on, and those it has called on', programs: false, costs: [] },
  { name: 'sessions_history', doc: 'shows what was said in a session of its own', programs: false, costs: [] },
  { name: 'subagents', doc: 'lists the children it has spawned, and how many more it may spawn', programs: false, costs: [] },
  {
    name: 'pipelines_start',
    doc: 'starts a pipeline that the agent lists under `pipelines`, as a run of its own',
    listedOnly: true,
    programs: false,
    costs: ['shell_exec'],
  },
  {
    name: 'emit_item',
    doc: 'emits an item of a step with `emits`: the loop over its stream takes it up at once',
    unlisted: true,
    programs: false,
    costs: [],
  },
  {
    name: 'consult',
    doc: 'asks a specialist that the agent has under `consultants` for advice, and waits for it',
    unlisted: true,
    programs: false,
    costs: [],
  },
  { name: 'idle', doc: 'ends a member’s turn', unlisted: true, programs: false, costs: [] },
  { name: 'claim_task', doc: 'claims a task of the board', unlisted: true, programs: false, costs: [] },
  { name: 'create_task', doc: 'puts a task on the board', unlisted: true, programs: false, costs: [] },
  { name: 'complete_task', doc: 'completes a task that the member owns', unlisted: true, programs: false, costs: [] },
  { name: 'fail_task', doc: 'gives a task back to the board, with the reason', unlisted: true, programs: false, costs: [] },
  { name: 'list_tasks', doc: 'shows the board and the team', unlisted: true, programs: false, costs: [] },
  { name: 'read_inbox', doc: 'reads the member’s messages', unlisted: true, programs: false, costs: [] },
  { name: 'send_message', doc: 'sends a message to a member of the team', unlisted: true, programs: false, costs: [] },
  { name: 'broadcast', doc: 'sends a message to everybody else in the team', unlisted: true, programs: false, costs: [] },
  { name: 'spawn_teammate', doc: 'starts a member of the team; the lead alone has it', unlisted: true, programs: false, costs: [] },
  { name: 'request_shutdown', doc: 'asks a member to shut down; the lead alone has it', unlisted: true, programs: false, costs: [] },
  { name: 'answer_request', doc: 'answers a request to shut down, or a plan', unlisted: true, programs: false, costs: [] },
  { name: 'submit_plan', doc: 'submits a plan, and waits until it is approved or rejected', unlisted: true, programs: false, costs: [] },
  {
    name: 'escalate',
    doc: 'reports a problem to the agent above and to people; the work continues',
    always: true,
    programs: false,
    costs: [],
  },
  {
    name: 'notify',
    doc: 'sends a message to a channel of the pipeline or the settings',
    always: true,
    programs: false,
    costs: ['external_message'],
  },
  { name: 'read_artifact', doc: 'reads an artifact of the run that its task names', programs: false, costs: ['filesystem_read'] },
  { name: 'load_skill', doc: 'reads one of its skills, or a file of it', programs: false, costs: ['filesystem_read'] },
  { name: 'read_file', doc: "reads a text file in the step's folder", listedOnly: true, programs: true, costs: ['filesystem_read'] },
  {
    name: 'write_file',
    doc: "writes a text file in the step's folder",
    listedOnly: true,
    changesFiles: true,
    programs: true,
    costs: ['filesystem_write'],
  },
  {
    name: 'edit_file',
    doc: "replaces a passage of a text file in the step's folder",
    listedOnly: true,
    changesFiles: true,
    programs: true,
    costs: ['filesystem_write'],
  },
  { name: 'list_files', doc: "lists files in the step's folder", listedOnly: true, programs: true, costs: ['filesystem_read'] },
  {
    name: 'grep',
    doc: "finds lines in files of the step's folder by a regular expression",
    listedOnly: true,
    programs: true,
    costs: ['filesystem_read'],
  },
  {
    name: 'run',
    doc: "runs a program in the step's folder, without a shell; no sandbox",
    listedOnly: true,
    changesFiles: true,
    programs: true,
    costs: ['shell_exec'],
  },
  { name: 'fetch_url', doc: 'reads a text from a web address', listedOnly: true, programs: true, costs: ['http_fetch'] },
] as const satisfies readonly BuiltInTool[];

type Row = (typeof BUILT_IN_TOOLS)[number];
export type BuiltInToolName = Row['name'];

/** The tools that agents' programs have, too. */
export type ProgramTool = Extract<Row, { programs: true }>['name'];
export const PROGRAM_TOOLS: readonly ProgramTool[] = BUILT_IN_TOOLS.flatMap((tool) => (tool.programs ? [tool.name] : []));

export function builtInTool(name: string): BuiltInTool | undefined {
  return BUILT_IN_TOOLS.find((tool) => tool.name === name);
}

/** Whether a server of tools may have the name: agents call its tools `mcp__NAME__TOOL`, in 64 characters. */
export function isServerName(name: string): boolean {
  return /^[A-Za-z0-9](?:[A-Za-z0-9-]|_(?!_)){0,31}$/.test(name) && !name.endsWith('_');
}

const OF_SERVER = /^mcp__((?:(?!__)[A-Za-z0-9_.-])+)(?:__([A-Za-z0-9_.-]+))?$/;

/** Parses an agent's entry for a server: `mcp__server__tool`, or `mcp__server` for all of its tools. Undefined for any other entry. */
export function serverEntry(entry: string): { server: string; tool?: string } | undefined {
  const [, server, tool] = OF_SERVER.exec(entry) ?? [];
  return server === undefined ? undefined : { server, ...defined({ tool }) };
}

/** Whether an entry of a list is the tool, or the server that has it. */
export function coversTool(entry: string, tool: string): boolean {
  return entry === tool || (isServer(entry) && tool.startsWith(`${entry}__`));
}

/** Whether the name means all tools of a server. */
export function isServer(name: string): boolean {
  const read = serverEntry(name);
  return read !== undefined && read.tool === undefined;
}
