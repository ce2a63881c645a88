import { START_ARGS_CHARACTERS } from '../../plan/agents/run-request';
import { DEFAULT_CHILDREN } from '../../plan/agents/spawned-agent';
import type { Plan, StartablePipeline } from '../../plan/plan';
import { checkArgs } from '../../plan/run/args';
import { field, isJsonObject, type Json } from '../../plan/text/json';
import { readChildPlan } from '../run/plan-check';
import { type CallingAgent, refused, type Tool } from './tool';
import { requiredText, withRefusals } from './tool-arguments';

/** An agent starts a pipeline and continues without waiting. The pipelines that it may start are frozen with it. */
export const PIPELINES_START: Tool = {
  description: ({ pipelines = [] }) =>
    'Starts a pipeline as a run of its own and answers at once with the id of that run. You go on with your task: when the run ends, you ' +
    `learn so with the result of a later call or at the beginning of a later task. The same pipeline with the same args is started only once. Pipelines: ${pipelines.map(described).join('; ')}.`,
  parameters: {
    type: 'object',
    required: ['pipeline'],
    additionalProperties: false,
    properties: { pipeline: { type: 'string' }, args: { type: 'object' } },
  },
  listedOnly: true,
  barred: startBarred,
  call: withRefusals(async (args, { runRequests, caller, toolbox, run }) => {
    const name = requiredText(args, 'pipeline');
    const known = (caller.pipelines ?? []).find((pipeline) => pipeline.name === name);
    if (!known) return refused(`you may not start "${name}"; you may start: ${(caller.pipelines ?? []).map((one) => one.name).join(', ')}`);
    if (known.plan === undefined)
      return refused(`"${name}" cannot start itself: this run belongs to it, or was started by one of its runs`);
    const { plan } = await readChildPlan(toolbox, known.plan, name);
    const asked = field(args, 'args');
    const given = isJsonObject(asked) ? asked : {};
    const problem = argsProblem(given, plan);
    if (problem !== undefined) return refused(`wrong args for "${name}": ${problem}`);
    return runRequests.start({ pipeline: name, plan: known.plan, args: given }, run.plan.children ?? DEFAULT_CHILDREN);
  }),
};

/** Only an agent that is nobody's child starts runs. */
function startBarred({ depth, pipelines = [] }: CallingAgent): string | undefined {
  if (depth !== 0) return 'only an agent of depth 0 starts pipelines; a child only answers its parent';
  return pipelines.length > 0 ? undefined : 'this agent lists no pipelines that it may start';
}

/** An agent's values have to fit the pipeline's args; it may not give secrets. */
export function argsProblem(given: Record<string, Json>, plan: Plan): string | undefined {
  const { args, dialect } = plan;
  if (dialect === 'lobster') return 'it is a Lobster file, which inserts args into commands as raw text';
  if (JSON.stringify(given).length > START_ARGS_CHARACTERS) return `they have more than ${START_ARGS_CHARACTERS} characters`;
  const secret = Object.keys(given).find((name) => args !== undefined && Object.hasOwn(args, name) && args[name]?.secret);
  if (secret !== undefined) return `"${secret}" is a secret, which an agent cannot pass`;
  const { problems } = checkArgs(plan, given);
  return problems.length === 0 ? undefined : problems.map(({ arg, problem }) => `"${arg}" ${problem}`).join('; ');
}

function described({ name, description, args = {} }: Pick<StartablePipeline, 'name' | 'description' | 'args'>): string {
  const taken = Object.entries(args).flatMap(([arg, { type = 'any', required, secret }]) =>
    secret ? [] : [`${arg}${required ? '' : '?'}: ${type}`],
  );
  return `${name}(${taken.join(', ')})${description === undefined ? '' : `, ${description}`}`;
}
