import { programOf } from '../../compiler/lower/agents/agent-program';
import { given, partBase, partPrompt } from '../../compiler/lower/parts/part-steps';
import { workPlace } from '../../compiler/lower/parts/work-parts';
import { approversIn } from '../../compiler/lower/people/people';
import type { StepContext } from '../../compiler/lower/step-context';
import type { BriefRole, ProjectBrief } from '../../plan/brief/brief';
import { ANY_CATEGORY } from '../../plan/brief/category';
import type { Role, RoleScope } from '../../plan/brief/role';
import { toolsOfProgram, toolsOfRole } from '../../plan/brief/role-tools';
import { defined } from '../../plan/defined';
import { APPROVALS_CHANNEL } from '../../plan/plan';
import type { BriefStep } from '../../plan/steps/step';
import { CONFIRM_PART, OPERATOR_PART, SINGLE_ROLE } from './model';
import { CONFIRMATIONS, OPERATOR_CHOICES } from './rules/words';

type Part = BriefStep['parts'][number];
type RunRole = Role & RoleScope & Pick<BriefRole, 'adapter' | 'model' | 'timeoutMs'>;

/** The roles of the team, as the brief runs them. */
export function rolesOf({ roles, program }: ProjectBrief): RunRole[] {
  if (roles.length === 0)
    return [{ ...SINGLE, ...defined({ adapter: program?.adapter, model: program?.model, timeoutMs: program?.timeoutMs }) }];
  return roles.map(({ id, definition, adapter, model, timeoutMs }) => ({
    ...(definition ?? { ...UNKNOWN, id }),
    ...defined({ adapter, model, timeoutMs }),
  }));
}

/** Only workers have it. */
const UNKNOWN = { description: '', promptOverlay: '', toolCategories: [], allowReadFile: false, isRegistered: true } as const;

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

/** The parts of a step that only plans: with no other one, nothing of the work can run. */
export function planningParts(brief: ProjectBrief, roles: readonly RunRole[], here: StepContext): Part[] {
  return roles.flatMap((role) => (role.id === 'planner' ? [rolePart(role, brief, here)] : []));
}

/** Each role is an agent of its own, which has the name of its part. */
function rolePart(role: RunRole, brief: ProjectBrief, here: StepContext): Part {
  const { context, place } = here;
  const part = partBase(here, role.id);
  const { id, promptOverlay, description, adapter, model, timeoutMs } = role;
  const { workdir, toolServers = {} } = brief;
  const { tools: own = [], toolServers: servers = [] } = context.installation;
  const tools =
    programOf({ definition: role }, context) === undefined
      ? toolsOfRole(role, { own, servers: [...Object.keys(toolServers), ...servers] })
      : toolsOfProgram(role, brief.authorized);
  if ([...context.agents.listed, ...context.agents.inFiles()].includes(part.id))
    context.report(
      'step.duplicate-id',
      place.step.at,
      `"${part.id}" is what the brief calls its ${id}, and there is an agent of that name`,
      'give the step or the agent another id',
    );
  context.agents.add({
    id: part.id,
    at: place.step.at,
    definition: {
      ...{ id: part.id, title: `the ${id}`, role: promptOverlay, description, tools, isBriefRole: true },
      ...defined({ adapter, model, timeoutMs, toolServers: brief.toolServers, registeredRole: role.isRegistered && id }),
    },
  });
  context.namedAgents.add(part.id);
  return {
    ...{ ...part, ...workPlace(here), kind: 'agent', agent: part.id, repair: 1 },
    ...defined({ timeoutMs, cwd: workdir === undefined ? undefined : [workdir] }),
    prompt: partPrompt(here, role.id, [given('assignment')]),
  };
}

function gatePart(part: string, choices: readonly string[], here: StepContext): Part {
  return {
    ...{ ...partBase(here, part), kind: 'approval', prompt: [given('question')], choices: [...choices] },
    ...defined({ approvers: approversIn(APPROVALS_CHANNEL, here.context) }),
    onReject: [{ kind: 'continue' }],
    reads: [['decision'], ['comment']],
  };
}
