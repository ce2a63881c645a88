import { agent } from '../../activities/agent/agent';
import { withRegisteredRole, withRegisteredScope } from '../../activities/agent/registered-role';
import type { AgentAdapter } from '../../activities/agent-port';
import { callableAgents } from '../../activities/tools/sessions/callable-agents';
import type { AuthorityNow } from '../../plan/brief/authority';
import { BUILT_IN_ROLES, type Role } from '../../plan/brief/role';
import { toolsOfRole } from '../../plan/brief/role-tools';
import type { StepInput } from '../../plan/steps/step-activity';
import { stepsOfPlan } from '../../plan/steps/walk';
import { briefText } from '../interpreter/brief-play';
import { planFrom } from '../patterns/compiled';
import { KEY, withAgent, workshop } from './workshop';

/** What agents of a brief's roles are on a worker: roles that an application registers, and roles that a program runs. */

const AUDITOR: Role = {
  id: 'auditor',
  description: 'Checks licences.',
  promptOverlay: 'You check licences.',
  toolCategories: ['http_fetch', 'mcp_tool:web'],
  allowReadFile: true,
};
const AGENT = { id: 'brief_auditor', role: '', registeredRole: 'auditor' };

test('its agent has the worker’s instructions, and the tools that the role may have', () => {
  const toolServers = { names: ['web', 'files'], open: () => Promise.reject(new Error('not here')) };
  const agent = withRegisteredRole({ roles: [AUDITOR], toolServers }, AGENT);
  expect(agent).toMatchObject({ role: 'You check licences.', description: 'Checks licences.' });
  expect(agent.tools).toEqual(expect.arrayContaining(['read_file', 'fetch_url', 'mcp__web']));
  for (const name of ['write_file', 'run', 'mcp__files', 'notify', 'pipelines_start']) expect(agent.tools).not.toContain(name);
});

test('another agent stays as it is', () => {
  const own = { id: 'writer', role: 'You write.' };
  expect(withRegisteredRole({}, own)).toBe(own);
});

const input = (role: object): StepInput =>
  ({
    run: 'r',
    authority: { project: 'p', authorised: [], role: { id: 'auditor', toolCategories: [], allowReadFile: false, ...role } },
  }) as StepInput;

test('calls are checked by the role of the worker', () => {
  const { authority } = withRegisteredScope({ roles: [AUDITOR] }, input({ isRegistered: true }));
  expect(authority?.role).toEqual({ id: 'auditor', toolCategories: ['http_fetch', 'mcp_tool:web'], allowReadFile: true });
});

test('a role that the plan has is not replaced by one that is registered', () => {
  const given = input({});
  expect(withRegisteredScope({ roles: [AUDITOR] }, given)).toBe(given);
});

test('a worker without it leaves the work to another one', () => {
  const missing = expect.objectContaining({ code: 'brief.no-role', message: expect.stringContaining('it has none') });
  expect(() => withRegisteredRole({}, AGENT)).toThrow(missing);
  expect(() => withRegisteredScope({ roles: [] }, input({ isRegistered: true }))).toThrow(missing);
});

const SPAWNS = ['sessions_spawn', 'sessions_send', 'sessions_list', 'sessions_history', 'subagents'];

test('who may do everything may give parts of it to other agents; planner, judges and roles with a list of categories may not', () => {
  expect(toolsOfRole(BUILT_IN_ROLES.executor, {})).toEqual(expect.arrayContaining([...SPAWNS, 'read_file', 'run', 'notify']));
  for (const role of [BUILT_IN_ROLES.planner, BUILT_IN_ROLES.reviewer, BUILT_IN_ROLES.critic, AUDITOR])
    expect(toolsOfRole(role, {}).filter((tool) => SPAWNS.includes(tool))).toEqual([]);
});

test('but no role calls another one', () => {
  const plan = planFrom(`agents: {helper: {role: You help.}}\n${briefText()}`);
  const steps = new Map(stepsOfPlan(plan).map((step) => [step.id, step]));
  const called = (agent: string) => callableAgents({ plan, steps }, agent, false);
  const others = ['brief_executor', 'helper'];
  expect(called('brief_executor')).toMatchObject({ agents: others, spawns: others, sendsTo: ['helper'] });
  expect(called('helper').agents).toEqual(['brief_executor', 'brief_planner', 'brief_reviewer', 'helper']);
});

const READS = ['read_file', 'list_files', 'grep'];
const WRITES = ['read_file', 'write_file', 'edit_file', 'list_files', 'grep'];

test.each<[string, string[], string[], Partial<AuthorityNow>?]>([
  ['nothing', [], READS],
  ['writing', ['filesystem_write'], WRITES],
  ['a shell', ['shell_exec'], ['run', ...READS]],
  ['a shell, by a person for the run', [], ['run', ...READS], { granted: ['shell_exec'] }],
  ['a shell in a run without one', ['shell_exec', 'filesystem_write'], WRITES, { noShell: true }],
  ['a shell, by a person, in a run without one', [], READS, { noShell: true, granted: ['shell_exec'] }],
  ['everything in a run without a shell', ['*'], [...WRITES, 'fetch_url'], { noShell: true }],
])(
  'a program is started with what its role has and somebody has authorised, wherever its adapter is set: %s',
  async (_, authorised, tools, more = {}) => {
    const asked: (string[] | undefined)[] = [];
    const program: AgentAdapter = {
      name: 'fake',
      ownTools: true,
      async *run({ agent: { tools: given } }) {
        asked.push(given);
        yield { role: 'assistant', text: 'done' };
      },
    };
    const shop = workshop({ ...withAgent(program), workFolder: async () => '/' });
    const definition = await shop.blob({ id: 'bull', role: 'You work.', tools: ['run', 'write_file', 'mcp__web'] });
    await shop.open([{ id: 'lead', kind: 'agent', agent: 'bull' }], { agents: { bull: { definition } } });
    const authority = { project: 'p', authorised, role: BUILT_IN_ROLES.executor, ...more };
    await agent(shop.toolbox, shop.call('lead#1~1'), { run: KEY.run, authority });
    expect(asked.map((given) => [...(given ?? [])].sort())).toEqual([[...tools].sort()]);
  },
);
