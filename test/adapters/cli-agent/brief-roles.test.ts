import { grantedTools } from '../../../activities/adapters/cli-agent/adapter';
import { PRESETS } from '../../../activities/adapters/cli-agent/presets';
import { compilePipeline } from '../../../compiler/compile';
import { NO_INSTALLATION } from '../../../compiler/installation';
import { CLI_PRESETS, type CliPreset } from '../../../plan/agents/adapter';
import { authorisedNow } from '../../../plan/brief/authority';
import { BUILT_IN_ROLES } from '../../../plan/brief/role';
import { toolsOfProgram } from '../../../plan/brief/role-tools';
import type { AgentDefinition } from '../../../plan/plan';
import { asking } from './asking';

/** A role that a program runs: its program is started with what the role has and the brief authorises, and asks nobody for more. */

type Role = 'planner' | 'executor' | 'reviewer' | 'critic';
type FlaggedProgram = 'claude' | 'codex';

function agentOf(program: CliPreset, role: Role, authorized: readonly string[], more = ''): AgentDefinition {
  const text = `---
project: site
authorized_costs: [${authorized.map((one) => JSON.stringify(one)).join(', ')}]
cli: {binary: ${program}}
${more}
roles:
${['planner', 'executor', 'reviewer', 'critic'].map((one) => `  ${one}: {adapter: cli-bridge}`).join('\n')}
---
# Objective
A site.

# Deliverables
- index.html

# Constraints
None.
`;
  const installation = { ...NO_INSTALLATION, adapters: ['anthropic', ...CLI_PRESETS], tools: ['house_tool'], toolServers: ['docs'] };
  const compiled = compilePipeline('site.md', text, { read: () => undefined, list: () => [] }, { installation });
  if (!compiled.plan) throw new Error(JSON.stringify(compiled.diagnostics));
  const { definition = '' } = compiled.plan.agents?.[`brief_${role}`] ?? {};
  return JSON.parse(compiled.blobs.get(definition)?.content ?? '');
}

/** The words with which the program was started. */
async function startedWith(program: CliPreset, agent: AgentDefinition): Promise<string> {
  const { ask, fake } = asking(program, { replies: [{ text: 'done' }] });
  await ask('Go', { agent });
  return fake.asked()[0]?.argv.join(' ') ?? '';
}

const READS = ['read_file', 'list_files', 'grep'];

test.each<[Role, string[], string[]]>([
  ['planner', ['shell_exec', 'filesystem_write'], []],
  ['executor', ['shell_exec'], [...READS, 'run']],
  ['executor', ['shell_exec', 'filesystem_write'], ['read_file', 'write_file', 'edit_file', 'list_files', 'grep', 'run']],
  ['executor', ['*'], ['read_file', 'write_file', 'edit_file', 'list_files', 'grep', 'run', 'fetch_url']],
  ['reviewer', ['*'], READS],
  ['critic', ['shell_exec'], READS],
])('%s with %j authorised has %j', (role, authorized, tools) => {
  expect(agentOf('claude', role, authorized).tools).toEqual(tools);
});

test('no program gets servers of tools, or tools of the application: it could not use them', () => {
  const { tools = [] } = agentOf('claude', 'executor', ['shell_exec', 'mcp_tool:*'], 'mcp_servers: ["files=npx server-files"]');
  expect(tools.filter((name) => name.startsWith('mcp__') || name === 'house_tool')).toEqual([]);
});

const FLAGS: Readonly<Record<FlaggedProgram, Readonly<Record<'planner' | 'executor' | 'reviewer', string>>>> = {
  claude: {
    planner: '--tools  --permission-mode default',
    executor: '--tools Read,Glob,Grep,Bash --allowedTools Bash --permission-mode default',
    reviewer: '--tools Read,Glob,Grep --permission-mode default',
  },
  codex: {
    planner: '--sandbox read-only --disable shell_tool --disable view_image -c web_search="disabled"',
    executor: '--sandbox workspace-write -c web_search="disabled"',
    reviewer: '--sandbox read-only -c web_search="disabled"',
  },
};

describe.each(Object.keys(FLAGS) as FlaggedProgram[])('%s', (program) => {
  test.each(['planner', 'executor', 'reviewer'] as const)('is started with the flags of the %s', async (role) => {
    expect(await startedWith(program, agentOf(program, role, ['shell_exec']))).toContain(FLAGS[program][role]);
  });
});

test.each<[Role, string[]]>([
  ['planner', []],
  ['reviewer', ['read_file', 'read_many_files', 'list_directory', 'glob', 'grep_search', 'search_file_content']],
])('gemini is started with a policy that allows the %s what it has, and nothing else', async (role, uses) => {
  const agent = agentOf('gemini', role, ['shell_exec', 'filesystem_write']);
  expect(await startedWith('gemini', agent)).toContain('--admin-policy=');
  const policy = PRESETS.gemini.authority(grantedTools({ agent })).files?.['thermidor.toml'] ?? '';
  expect(policy).toContain('toolName = ["*"]\ndecision = "deny"');
  expect([...policy.matchAll(/toolName = (.*)\ndecision = "allow"/g)].flatMap(([, names = '']) => JSON.parse(names))).toEqual(uses);
});

describe.each(['claude', 'codex', 'gemini'] as const)('%s', (program) => {
  const writes = { claude: 'Write', codex: 'file_change', gemini: 'write_file' }[program];
  const shell = { claude: 'Bash', codex: 'command_execution', gemini: 'run_shell_command' }[program];

  test.each<[Role, string[]]>([
    ['executor', ['shell_exec']],
    ['reviewer', ['shell_exec', 'filesystem_write']],
    ['planner', ['shell_exec', 'filesystem_write']],
  ])('is stopped if the %s writes, with %j authorised', async (role, authorized) => {
    const { ask, fake, transcript } = asking(program, { replies: [{ calls: [{ tool: writes, args: { path: 'x' } }] }, { text: 'done' }] });
    const agent = agentOf(program, role, authorized);
    await expect(ask('Go', { agent })).rejects.toMatchObject({ code: 'agent.overstepped', details: { tool: writes } });
    expect(transcript.filter(({ text }) => text === 'done')).toEqual([]);
    expect(fake.running()).toEqual([]);
  });

  test('may write if the brief authorises it', async () => {
    const { ask } = asking(program, { replies: [{ calls: [{ tool: writes, args: { path: 'x' } }] }, { text: 'done' }] });
    const agent = agentOf(program, 'executor', ['shell_exec', 'filesystem_write']);
    expect((await ask('Go', { agent })).at(-1)?.text).toBe('done');
  });

  test('is stopped at a shell in a run without one, whatever the brief and a person have allowed', async () => {
    const { ask, fake } = asking(program, { replies: [{ calls: [{ tool: shell, args: { command: 'ls' } }] }, { text: 'done' }] });
    const authorised = authorisedNow({ authorised: ['*'], granted: ['shell_exec'], noShell: true });
    const agent = { ...agentOf(program, 'executor', ['*']), tools: toolsOfProgram(BUILT_IN_ROLES.executor, authorised) };
    await expect(ask('Go', { agent })).rejects.toMatchObject({ code: 'agent.overstepped', details: { tool: shell } });
    expect(fake.running()).toEqual([]);
  });
});
