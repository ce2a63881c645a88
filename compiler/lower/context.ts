import type { EscalationTarget } from '../../plan/action';
import type { Expr, Template } from '../../plan/expression';
import type { Located, Report } from '../diagnostics/diagnostic';
import { didYouMean, nearest } from '../diagnostics/suggest';
import { hasOutput, type KnownStep, type Names } from '../expression/reference';
import { resolve, resolveTemplate } from '../expression/resolve';
import type { Syntax, TemplateSyntax } from '../expression/syntax';
import type { Blobs } from '../freeze/blobs';
import type { Agents } from '../names/agents';
import type { LoadedSchema, Schemas } from '../names/schemas';
import type { Order } from '../order';
import type { TargetSource } from '../shape/action';
import type { PipelineSource, StepSource } from '../shape/source';

/** What lowering a step needs to know of everything around it. */
export interface Context {
  pipeline: PipelineSource;
  order: Order;
  agents: Agents;
  blobs: Blobs;
  report: Report;
  steps: ReadonlyMap<string, StepSource>;
  schemaOf(step: StepSource): LoadedSchema | undefined;
  /** Agents that somebody named: these and their superiors go into the plan. */
  namedAgents: Set<string>;
}

export function schemasByStep(steps: Iterable<StepSource>, schemas: Schemas): Map<StepSource, LoadedSchema> {
  const found = new Map<StepSource, LoadedSchema>();
  for (const step of steps) {
    const { work } = step;
    if (work?.kind !== 'agent' && work?.kind !== 'review' && work?.kind !== 'command') continue;
    const schema = schemas.of(work);
    if (schema) found.set(step, schema);
    else if (work.name && needsSchema(work.kind, work.name.value)) schemas.missing(work.name);
  }
  return found;
}

/** Data wants a schema; a text such as `Draft.md` has none. */
function needsSchema(kind: 'agent' | 'review' | 'command', output: string): boolean {
  return output.endsWith('.json') || (kind !== 'command' && !/\.[A-Za-z0-9]+$/.test(output));
}

/** The names that an expression may use: of step `of`, or, without one, of what is evaluated when all have run. */
export function namesFor(context: Context, of?: string): Names {
  const { steps, pipeline, order } = context;
  return {
    step: (id) => {
      const step = steps.get(id);
      if (!step) return undefined;
      const known: KnownStep = { id };
      const schema = context.schemaOf(step);
      if (step.work) known.kind = step.work.kind;
      if (schema && 'json' in schema) known.schema = schema.json;
      return known;
    },
    stepIds: () => steps.keys(),
    hasArg: (name) => pipeline.args.has(name),
    argNames: () => pipeline.args.keys(),
    isUpstream: (id) => of === undefined || order.isUpstream(id, of),
  };
}

export function expressionOf(syntax: Syntax | undefined, of: string | undefined, context: Context): Expr | undefined {
  return syntax && resolve(syntax, namesFor(context, of), context.report);
}

export function templateOf(syntax: TemplateSyntax | undefined, of: string, context: Context): Template | undefined {
  return syntax && resolveTemplate(syntax, namesFor(context, of), context.report);
}

/** Checks that a step which another names exists and is upstream of it; `itself` allows the step's own id. */
export function upstreamStep(
  name: Located<string>,
  of: string,
  key: string,
  context: Context,
  options: { itself?: boolean } = {},
): boolean {
  const { steps, order, report } = context;
  if (!steps.has(name.value)) {
    report(
      'step.unknown-step',
      name.at,
      `"${key}" of step "${of}" names "${name.value}", which does not exist`,
      didYouMean(name.value, steps.keys(), 'it takes the id of a step'),
    );
    return false;
  }
  if (order.isUpstream(name.value, of) || (options.itself && name.value === of)) return true;
  report(
    'step.not-upstream',
    name.at,
    `"${key}" of step "${of}" names "${name.value}", which is not upstream of it`,
    `name a step that runs before "${of}"`,
  );
  return false;
}

/** The step's dependencies that put something out; in a sequence the nearest step before that does. */
export function producersBefore(id: string, context: Context): string[] {
  const { order, steps } = context;
  const produces = (candidate: string): boolean => hasOutput(steps.get(candidate)?.work?.kind);
  if (order.kind === 'graph') return order.before(id).filter(produces);
  for (let [before] = order.before(id); before !== undefined; [before] = order.before(before)) if (produces(before)) return [before];
  return [];
}

export function targetOf(target: TargetSource, context: Context): EscalationTarget {
  if (target.kind === 'human') {
    if (!target.channel) return { kind: 'human' };
    noteChannel(target.channel, context);
    return { kind: 'human', channel: target.channel.value };
  }
  const { id } = target;
  context.agents.named(id, 'agent.unknown', `"${id.value}" is to be escalated to, but is not defined`);
  context.namedAgents.add(id.value);
  return { kind: 'agent', id: id.value };
}

/** A channel that is not listed goes to the console inbox; one that looks like a slip of the pen is worth a word. */
export function noteChannel(channel: Located<string>, context: Context): void {
  const { channels } = context.pipeline;
  if (channels.size === 0 || channels.has(channel.value)) return;
  const meant = nearest(channel.value, channels.keys());
  if (meant === undefined) return;
  context.report('channel.not-listed', channel.at, `the channel "${channel.value}" is not under \`channels:\``, `did you mean "${meant}"?`);
}
