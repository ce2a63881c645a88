import type { ArgSpec } from '../../plan/plan';
import { field, type Json } from '../../plan/text/json';
import type { KnownStep, Names } from '../expression/names';
import { OPEN, type OutputShape } from '../expression/output-shape';
import { isInFinally, reachability, type StepPosition } from '../step-positions';
import type { LowerContext } from './lower-context';
import { pathToStep } from './path-to-step';

export interface NamesOptions {
  /** The step can read itself, because it has done its work. */
  itself?: boolean;
  /** No step can be read: the text is evaluated for all of them. */
  noSteps?: boolean;
  /** The text goes to a shell. */
  shell?: boolean;
  /** The names of the command's environment variables. */
  environment?: ReadonlySet<string>;
  /** Names that only this text knows, such as those that a step's code gives to a part. */
  given?: ReadonlyMap<string, OutputShape>;
}

const NO_VARIABLES: ReadonlySet<string> = new Set();

/** The names that an expression may use at the place of a step, or without a place, when all steps have run. */
export function namesInScope(context: LowerContext, of?: StepPosition, options: NamesOptions = {}): Names {
  const { pipeline, places } = context;
  return {
    step(id) {
      const place = places.byId.get(id);
      if (!place) return undefined;
      const known: KnownStep = { id, output: context.shapeOf(place) };
      if (place.step.work) known.kind = place.step.work.kind;
      if (place.step.approval) known.asks = true;
      return known;
    },
    stepIds: () => places.byId.keys(),
    arg: (name) => {
      const arg = pipeline.args.get(name);
      return arg && shapeOfArg(arg.spec);
    },
    argNames: () => pipeline.args.keys(),
    variable: (name) => options.given?.get(name) ?? context.variable(name, of)?.variable.shape(),
    *variableNames() {
      yield* options.given?.keys() ?? [];
      for (const { variable } of context.variablesAround(of)) yield variable.name;
    },
    inShell: options.shell === true,
    environment: options.environment ?? NO_VARIABLES,
    afterWork: of !== undefined && isInFinally(of),
    standing(id) {
      const place = places.byId.get(id);
      if (options.noSteps) return 'before-all';
      if (!place) return 'not-upstream';
      return options.itself && place === of ? 'upstream' : reachability(place, of);
    },
    wayTo: (id) => pathToStep(places.byId.get(id), of),
  };
}

function shapeOfArg(spec: ArgSpec): OutputShape {
  const root: Record<string, Json> = {};
  if (spec.type) root['type'] = spec.type;
  if (spec.enum) root['enum'] = spec.enum;
  return field(root, 'type') === undefined && !spec.enum ? OPEN : { kind: 'schema', root, within: [] };
}
