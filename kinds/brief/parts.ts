import { given, partBase, partPrompt } from '../../compiler/lower/parts/part-steps';
import { workPlace } from '../../compiler/lower/parts/work-parts';
import { approversIn } from '../../compiler/lower/people/people';
import type { StepContext } from '../../compiler/lower/step-context';
import { BUILT_IN_TOOLS, builtInTool } from '../../plan/agents/tool-names';
import type { BriefRole, ProjectBrief } from '../../plan/brief/brief';
import { ANY_CATEGORY, serverOf } from '../../plan/brief/category';
import { outOfScope, type Role } from '../../plan/brief/role';
import { defined } from '../../plan/defined';
import { APPROVALS_CHANNEL } from '../../plan/plan';
import type { BriefStep } from '../../plan/steps/step';
import { CONFIRM_PART, OPERATOR_PART, SINGLE_ROLE } from './model';
import { CONFIRMATIONS, OPERATOR_CHOICES } from './rules/words';

type Part = BriefStep['parts'][number];
type RunRole = Role & Pick<BriefRole, 'adapter' | 'model' | 'timeoutMs'>;

/** The roles of the team, as the brief runs them. */
export function rolesOf({ roles, program }: ProjectBrief): RunRole[] {
  if (roles.length === 0) return [{ ...SINGLE, ...defined({ adapter: program?.adapter, timeoutMs: program?.timeoutMs }) }];
  return roles.flatMap(({ definition, adapter, model, timeoutMs }) =>
    definition ? [{ ...definition, ...defined({ adapter, model, timeoutMs }) }] : [],
  );
}

const SINGLE: Role = {
  id: SINGLE_ROLE,
  description: 'Does the whole brief.',
  promptOverlay: `You work a brief alone, from its first deliverable to its last.

- Do what the brief asks for, and nothing beyond it.
- A tool call that the brief does not authorise is put to a person, and may be refused: then find another way, or say that there is none.
- If you cannot go on, say that you are blocked, and what you need. Do not pretend that something is done.`,
  toolCategories: [ANY_CATEGORY],
  allowReadFile: true,
};

export function partsOf(brief: ProjectBrief, roles: readonly RunRole[], here: StepContext): Part[] {
  return [
    ...roles.map((role) => rolePart(role, brief, here)),
    gatePart(CONFIRM_PART, CONFIRMATIONS, here),
    gatePart(OPERATOR_PART, OPERATOR_CHOICES, here),
  ];
}

/** Each role is an agent of its own, which has the name of its part. */
function rolePart(role: RunRole, brief: ProjectBrief, here: StepContext): Part {
  const { base, context, place } = here;
  const part = partBase(here, role.id);
  const { id, promptOverlay, description, adapter, model, timeoutMs } = role;
  const { workdir, toolServers } = brief;
  context.agents.add({
    id: part.id,
    at: place.step.at,
    definition: {
      ...{ id: part.id, title: id, role: promptOverlay, description, tools: toolsOf(role, brief, context.installation) },
      ...defined({ adapter, model, timeoutMs, toolServers }),
    },
  });
  context.namedAgents.add(part.id);
  return {
    ...{ ...part, ...workPlace(here), kind: 'agent', agent: part.id, repair: 1 },
    ...defined({ timeoutMs: timeoutMs ?? base.timeoutMs, cwd: workdir === undefined ? undefined : [workdir] }),
    prompt: partPrompt(here, role.id, [given('assignment')]),
  };
}

/** The tools that the role may have: what it may not do in any case is not offered. */
function toolsOf(role: Role, { toolServers = {} }: ProjectBrief, installation: StepContext['context']['installation']): string[] {
  const { tools = [], toolServers: servers = [] } = installation;
  const builtIn = BUILT_IN_TOOLS.filter(
    (tool) =>
      !('unlisted' in tool) && tool.name !== 'pipelines_start' && tool.costs.length > 0 && outOfScope(role, tool.costs).length === 0,
  );
  const own = tools.filter((name) => !builtInTool(name) && outOfScope(role, ['shell_exec']).length === 0);
  const reached = [...new Set([...Object.keys(toolServers), ...servers])].filter((server) =>
    role.toolCategories.some((entry) => [ANY_CATEGORY, 'mcp_tool:*'].includes(entry) || serverOf(entry) === server),
  );
  return [...builtIn.map(({ name }) => name), ...own, ...reached.map((server) => `mcp__${server}`)];
}

function gatePart(part: string, choices: readonly string[], here: StepContext): Part {
  return {
    ...{ ...partBase(here, part), kind: 'approval', prompt: [given('question')], choices: [...choices] },
    ...defined({ approvers: approversIn(APPROVALS_CHANNEL, here.context) }),
    onReject: [{ kind: 'continue' }],
    reads: [['decision'], ['comment']],
  };
}
