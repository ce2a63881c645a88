import type { Expr, Template } from '../../plan/expression';
import type { Child } from '../child';
import type { Located, Report } from '../diagnostics/diagnostic';
import { didYouMean } from '../diagnostics/suggest';
import type { OutputShape } from '../expression/output-shape';
import { resolve, resolveTemplate } from '../expression/resolve';
import type { Syntax, TemplateSyntax } from '../expression/syntax';
import type { Blobs } from '../freeze/blobs';
import type { Installation } from '../installation';
import type { Agents } from '../names/agents';
import type { LoadedSchema } from '../names/schemas';
import { type Place, type Places, standing } from '../places';
import type { PipelineSource } from '../shape/source';
import type { LoopVariable } from './lowering';
import { type NamesOptions, namesFor } from './names';
import type { ControlReads } from './references';

/** A variable of a loop. */
export interface VariableOf {
  loop: Place;
  variable: LoopVariable;
}

/** What lowering a step needs to know of everything around it. */
export interface Context {
  pipeline: PipelineSource;
  places: Places;
  agents: Agents;
  blobs: Blobs;
  report: Report;
  reads: ControlReads;
  schemaOf(place: Place): LoadedSchema | undefined;
  /** What is known of a step's output. */
  shapeOf(place: Place): OutputShape;
  /** The variables of the loops around a place, from the inside out, and which of them a name means. */
  variablesAround(of: Place | undefined): Iterable<VariableOf>;
  variable(name: string, of: Place | undefined): VariableOf | undefined;
  /** The plan behind a `pipeline` step. */
  childOf(place: Place): Child | undefined;
  /** Environment and folder of every command, where the file has them. */
  env: ReadonlyMap<string, Template>;
  cwd?: Template;
  /** Agents that somebody named: these and their superiors go into the plan. */
  namedAgents: Set<string>;
  /** People who may decide somewhere: their delegates go into the plan. */
  namedPeople: Set<string>;
  installation: Installation;
  channels: ReadonlySet<string>;
  /** Who decides at gates in a channel that name nobody. Groups are expanded. */
  approvers: ReadonlyMap<string, readonly string[]>;
}

/** An expression that controls the run: what it reads travels. Without a place it is evaluated when all steps have run. */
export function controlOf(syntax: Syntax | undefined, of: Place | undefined, context: Context): Expr | undefined {
  const expr = syntax && resolve(syntax, namesFor(context, of), context.report);
  if (expr) context.reads.note(expr, of);
  return expr;
}

export function templateOf(
  syntax: TemplateSyntax | undefined,
  of: Place | undefined,
  context: Context,
  options: NamesOptions = {},
): Template | undefined {
  return syntax && resolveTemplate(syntax, namesFor(context, of, options), context.report);
}

/** Checks that a step which another names exists and can be read there. `itself` allows the step's own id, `output` wants one. */
export function upstreamStep(
  name: Located<string>,
  of: Place,
  key: string,
  context: Context,
  options: { itself?: boolean; sameBlock?: boolean; output?: boolean } = {},
): boolean {
  const { places, report } = context;
  const { id } = of.step;
  const found = places.byId.get(name.value);
  if (!found) {
    const hint = () => didYouMean(name.value, places.byId.keys(), 'it takes the id of a step');
    report('step.unknown-step', name.at, `"${key}" of step "${id}" names "${name.value}", which does not exist`, hint);
    return false;
  }
  if (options.itself && found === of) return true;
  if (options.sameBlock && found.block !== of.block) {
    const hint = `name a step of the same block that runs before "${id}"`;
    report('step.other-block', name.at, `"${key}" of step "${id}" names "${name.value}", which is in another block`, hint);
    return false;
  }
  if (options.output && context.shapeOf(found).kind === 'none') {
    const hint = 'name a step that puts something out';
    report('expression.no-output', name.at, `"${key}" of step "${id}" names "${name.value}", which has no output`, hint);
    return false;
  }
  if (standing(found, of) === 'upstream') return true;
  const hint = `name a step that runs before "${id}"`;
  report('step.not-upstream', name.at, `"${key}" of step "${id}" names "${name.value}", which is not upstream of it`, hint);
  return false;
}

/** Lead to the inbox wherever nothing is said of them. */
const ALWAYS_THERE = ['#approvals', '#errors'] as const;
/** With more of them nobody looks for slips of the pen. */
const MOST_CHANNELS = 200;

/** Every channel that may be named; none where neither the file nor the settings list any, and all go to the inbox. */
export function listedChannels({ channels }: PipelineSource, installation: Installation): ReadonlySet<string> {
  const listed = [...channels.keys(), ...installation.channels];
  return new Set(listed.length === 0 ? [] : [...listed, ...ALWAYS_THERE]);
}

export function noteChannel({ value, at }: Located<string>, { channels, report }: Context): void {
  if (channels.size === 0 || channels.has(value)) return;
  const hint = () =>
    channels.size > MOST_CHANNELS ? 'list it under `channels:`' : didYouMean(value, channels, 'list it under `channels:`');
  report('channel.not-listed', at, `the channel "${value}" is neither under \`channels:\` nor in the settings`, hint);
}
