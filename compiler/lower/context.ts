import type { Expr, Template } from '../../plan/expressions/expression';
import type { Located, SourceSpan } from '../diagnostics/diagnostic';
import { didYouMean } from '../diagnostics/suggest';
import { resolve, resolveTemplate } from '../expression/resolve';
import type { Syntax, TemplateSyntax } from '../expression/syntax';
import type { Installation } from '../installation';
import type { PipelineShape } from '../shape/source';

import { reachability, type StepPosition } from '../step-positions';
import type { LowerContext } from './lower-context';

import { type NamesOptions, namesInScope } from './names';
import { placeOfValue, warnOfScript } from './value-lengths';

/** An expression that controls the run: the values it reads enter the history. Without a place it is evaluated when all steps have run. */
export function controlOf(syntax: Syntax | undefined, of: StepPosition | undefined, context: LowerContext): Expr | undefined {
  const expr = syntax && resolve(syntax, namesInScope(context, of), context.report);
  if (expr) context.reads.note(expr, of);
  return expr;
}

export interface TemplateOptions extends NamesOptions {
  /** The place of the whole text; absent: the step's. */
  at?: SourceSpan;
}

export function templateOf(
  syntax: TemplateSyntax | undefined,
  of: StepPosition | undefined,
  context: LowerContext,
  options: TemplateOptions = {},
): Template | undefined {
  const template = syntax && resolveTemplate(syntax, namesInScope(context, of, options), context.report);
  const at = options.at ?? of?.step.at;
  if (template && options.shell && at) warnOfScript(template, placeOfValue(syntax) ?? at, context);
  return template;
}

/** Checks that a step which another names exists and can be read there. `itself` allows the step's own id, `output` requires an output. */
export function upstreamStep(
  name: Located<string>,
  of: StepPosition,
  key: string,
  context: LowerContext,
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
    const hint = 'name a step that has an output';
    report('expression.no-output', name.at, `"${key}" of step "${id}" names "${name.value}", which has no output`, hint);
    return false;
  }
  if (reachability(found, of) === 'upstream') return true;
  const hint = `name a step that runs before "${id}"`;
  report('step.not-upstream', name.at, `"${key}" of step "${id}" names "${name.value}", which is not upstream of it`, hint);
  return false;
}

/** Channels that always exist, and lead to the inbox if nothing else is configured. */
const ALWAYS_THERE = ['#approvals', '#errors'] as const;
/** With more channels than this, misspellings are not looked for. */
const MOST_CHANNELS = 200;

/** Every channel that may be named; none if neither the file nor the settings list any, and all go to the inbox. */
export function listedChannels({ channels }: PipelineShape, installation: Installation): ReadonlySet<string> {
  const listed = [...channels.keys(), ...installation.channels];
  return new Set(listed.length === 0 ? [] : [...listed, ...ALWAYS_THERE]);
}

export function useChannel({ value, at }: Located<string>, { channels, report }: LowerContext): void {
  if (channels.size === 0 || channels.has(value)) return;
  const hint = () =>
    channels.size > MOST_CHANNELS ? 'list it under `channels:`' : didYouMean(value, channels, 'list it under `channels:`');
  report('channel.not-listed', at, `the channel "${value}" is neither under \`channels:\` nor in the settings`, hint);
}
