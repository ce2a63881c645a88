import type { Located, SourceSpan } from '../../compiler/diagnostics/diagnostic';
import type { OutputShape } from '../../compiler/expression/output-shape';
import { fieldsOfBlock } from '../../compiler/lower/block-shape';
import { controlOf } from '../../compiler/lower/context';
import type { KindLowering } from '../../compiler/lower/kind-lowering';
import type { LoopVariable, VariableRead } from '../../compiler/lower/loop-variable';
import type { LoweredStep, StepContext } from '../../compiler/lower/step-context';
import type { WorkOf } from '../../compiler/shape/source';
import { endOfBlock, holdersOf, type StepPosition } from '../../compiler/step-positions';
import { type Expr, type Path, subexpressions } from '../../plan/expressions/expression';
import { isStateFunction } from '../../plan/expressions/functions';

type RepeatSource = WorkOf<'repeat'>;

export const REPEAT_LOWERING: KindLowering<RepeatSource> = {
  lower: repeatStep,
  output: (_work, { inner }, { of }) => ({
    kind: 'fields',
    fields: new Map([['round', WHOLE], ['exhausted', FLAG], ...fieldsOfBlock(inner, of)]),
  }),
  loop: (work, place, { shapeOf }) => ({
    variables: [round(work, place), last(work, place, () => fieldsOfBlock(place.inner, shapeOf))],
    fields: ['round', 'exhausted'],
  }),
};

const WHOLE: OutputShape = { kind: 'schema', root: { type: 'integer' }, within: [] };
const FLAG: OutputShape = { kind: 'schema', root: { type: 'boolean' }, within: [] };

function repeatStep(work: RepeatSource, here: StepContext): LoweredStep | undefined {
  const { base, place, context, inner, actions } = here;
  const end = endOfBlock(place);
  if (!place.inner || !end) return undefined;
  const block = inner(place.inner);
  const until = controlOf(work.until, end, context);
  if (until) checkMoves(until, work, end, here);
  const onExhausted = actions(work.onExhausted, 'on_exhausted');
  if (!until || work.max === undefined) return undefined;
  const [roundVar, lastVar] = [round(work, place).name, lastName(work, place)];
  const step: LoweredStep['step'] = { ...base, kind: 'repeat', until, max: work.max, block, roundVar, lastVar };
  if (onExhausted) step.onExhausted = onExhausted;
  return { step };
}

/** A condition that reads nothing a round can change holds after the first round or never. */
function checkMoves(
  until: Expr,
  work: RepeatSource,
  end: StepPosition,
  { place, context: { pipeline, places, variable, report } }: StepContext,
): void {
  const isWithin = (id: string): boolean => [...holdersOf(places.byId.get(id))].includes(place);
  // A name that hides a step or an arg is reported as a clash.
  const names = [round(work, place).name, lastName(work, place)];
  if (names.some((name) => places.byId.has(name) || pipeline.args.has(name))) return;
  for (const part of subexpressions(until)) {
    if ((part.kind === 'output' || part.kind === 'record') && isWithin(part.step)) return;
    if (part.kind === 'variable' && variable(part.name, end)?.loop === place) return;
    if (part.kind === 'call' && isStateFunction(part.function) && part.arguments.some((of) => of.kind === 'output' && isWithin(of.step)))
      return;
  }
  const [first] = place.inner?.places ?? [];
  const such = first ? `, such as "${first.step.id}",` : '';
  const hint = `read a step of the round${such} or \`${round(work, place).name}\``;
  report('repeat.fixed-until', work.until?.at ?? place.step.at, `"until" of "${place.step.id}" reads nothing that a round changes`, hint);
}

function round(work: Pick<RepeatSource, 'roundVar'>, { step }: StepPosition): LoopVariable {
  return { ...named(work.roundVar, 'round', step.at), key: 'round_var', shape: () => WHOLE, reads: () => [] };
}

function lastName(work: RepeatSource, { step }: StepPosition): string {
  return named(work.lastVar, 'last', step.at).name;
}

function last(work: RepeatSource, { step }: StepPosition, fields: () => Map<string, OutputShape>): LoopVariable {
  return {
    ...named(work.lastVar, 'last', step.at),
    key: 'last_var',
    shape: () => ({ kind: 'fields', fields: fields() }),
    reads: (path) => lastReads(path, fields),
  };
}

/** A path begins with a step of the block; without one, it is all of them. */
function lastReads([first, ...path]: Path, fields: () => Map<string, OutputShape>): VariableRead[] {
  if (first === undefined) return [...fields().keys()].map((step) => ({ from: 'last', step, path: [] }));
  return [{ from: 'last', step: String(first), path }];
}

function named(written: Located<string> | undefined, name: string, at: SourceSpan): { name: string; at: SourceSpan } {
  return written ? { name: written.value, at: written.at } : { name, at };
}
