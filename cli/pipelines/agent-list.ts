import type { SourceLocation } from '../../compiler/diagnostics/diagnostic';
import { asksAgent } from '../../kinds/questions';
import type { AdapterChoice } from '../../plan/agents/adapter-choice';
import { defined, ifDefined } from '../../plan/defined';
import type { Category } from '../../plan/people/category';
import type { AgentDefinition, AgentLimits, Plan } from '../../plan/plan';
import { stepsOfPlan } from '../../plan/steps/walk';
import { field } from '../../plan/text/json';
import { parseJson } from '../../plan/text/json-text';
import type { Configuration } from '../settings/configuration';
import type { Compiled } from './pipelines';
import { chooseAdapterHere } from './run-by';

/** An agent as `thermidor agents` shows it: its definition, combined with the settings. */
export interface ListedAgent extends AdapterChoice {
  id: string;
  title?: string;
  description?: string;
  /** The file that defines it. */
  file: string;
  line: number;
  /** Absent: the tools that reach nothing beyond the run. */
  tools?: readonly string[];
  categories?: Partial<Record<Category, string[]>>;
  /** The pipelines that it may start. */
  pipelines?: readonly string[];
  consultants?: Readonly<Record<string, string>>;
  skills?: readonly { name: string; description: string; files: readonly string[] }[];
  limits?: AgentLimits;
  /** The file of its own memory. */
  memory?: string;
  /** The schema of its steps' output, if they name none. */
  schema?: { sha256: string; title?: string };
  reportsTo?: string;
  timeoutMs?: number;
  /** Pipelines in which it has work, with the steps. Empty: nothing names it. */
  uses: readonly AgentUse[];
}

export interface AgentUse {
  pipeline: string;
  owner?: true;
  /** The agent is in the pipeline's escalation chain. */
  escalation?: true;
  steps: readonly string[];
}

/** The agents of a plan, in the order of their ids. */
export function agentsOfPlan({ plan, blobs, agentPlaces }: Compiled, configuration: Configuration): ListedAgent[] {
  const found = Object.entries(plan.agents ?? {}).flatMap(([id, entry]): ListedAgent[] => {
    const definition = ifDefined(blobs.get(entry.definition)?.content, parseJson<AgentDefinition>);
    const place: SourceLocation = agentPlaces.get(id) ?? { file: '', line: 1, column: 1 };
    const use = useOf(id, plan);
    if (!definition) return [];
    const { title, description, tools, categories, limits, reportsTo, timeoutMs, skills, schema, pipelines, consultants, memory } =
      definition;
    const named = schema === undefined ? undefined : titleOf(blobs.get(schema)?.content);
    return [
      {
        id,
        ...defined({ title, description }),
        file: place.file,
        line: place.line,
        ...chooseAdapterHere(definition, configuration),
        ...defined({
          tools,
          categories,
          consultants,
          pipelines: pipelines?.map(({ name }) => name),
          skills: skills?.map((skill) => ({ ...skill, files: Object.keys(skill.files).sort() })),
          limits,
          memory: memory?.file,
          schema: schema === undefined ? undefined : { sha256: schema, ...defined({ title: named }) },
          reportsTo,
          timeoutMs,
        }),
        uses: use ? [use] : [],
      },
    ];
  });
  return found.sort(byId);
}

/** Merges the same agent of several pipelines into one that all of them use. */
export function merged(agents: readonly ListedAgent[]): ListedAgent[] {
  const byContent = new Map<string, ListedAgent>();
  for (const agent of agents) {
    const { uses, ...rest } = agent;
    const key = JSON.stringify(rest);
    byContent.set(key, { ...agent, uses: [...(byContent.get(key)?.uses ?? []), ...uses] });
  }
  return [...byContent.values()].sort(byId);
}

function byId(a: ListedAgent, b: ListedAgent): number {
  return a.id === b.id ? a.file.localeCompare(b.file) : a.id < b.id ? -1 : 1;
}

function useOf(id: string, plan: Plan): AgentUse | undefined {
  const all = stepsOfPlan(plan);
  const steps = all.filter((step) => asksAgent(step) && asks(step, id));
  const owner = plan.owner === id;
  const escalation = plan.escalation?.some((target) => target.kind === 'agent' && target.id === id) ?? false;
  if (steps.length === 0 && !owner && !escalation) return undefined;
  return {
    pipeline: plan.name,
    ...defined({ owner: owner || undefined, escalation: escalation || undefined }),
    steps: steps.map((step) => step.id),
  };
}

function asks({ agent, critic }: { agent: string; critic?: string }, id: string): boolean {
  return agent === id || critic === id;
}

function titleOf(content: string | undefined): string | undefined {
  const title = field(ifDefined(content, parseJson), 'title');
  return typeof title === 'string' ? title : undefined;
}
