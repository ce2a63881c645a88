import { runsChild } from '../../kinds/questions';
import { defined } from '../../plan/defined';
import { linkBranches } from '../branch-order';
import type { CompileContext, CompiledChild } from '../compile-context';
import type { OutputShape } from '../expression/output-shape';
import { OPEN } from '../expression/output-shape';
import type { TemplateSyntax } from '../expression/syntax';
import { loadAgents } from '../names/agents';
import { loadSchemas } from '../names/schemas';
import { loadSkills } from '../names/skills';
import type { PipelineShape } from '../shape/source';
import { holdersOf, type StepPosition, stepPositions } from '../step-positions';
import { listedChannels, templateOf } from './context';
import { lowerEnvironment } from './environment';
import type { Shapes } from './kind-lowering';
import { LOWERING } from './kinds';
import type { Loop, VariableOf } from './loop-variable';
import type { LowerContext } from './lower-context';
import { checkNameClashes } from './name-clashes';
import { channelApprovers } from './people/people';
import { collectReads } from './references';

/** Loads what a file names, and lays out its steps. Each name is looked up once, at its first use. */
export function lowerContextOf(file: string, pipeline: PipelineShape, around: CompileContext): LowerContext {
  const { report, sources, installation, blobs, include } = around;
  const places = stepPositions(pipeline, report);
  linkBranches(places, report);
  const schemas = loadSchemas(file, pipeline.schemas, sources, report);
  const agents = loadAgents(file, pipeline.agents, sources, { report, installation, schemas, skills: loadSkills(file, sources) });
  const schemaOf = once((place: StepPosition) => {
    const { work } = place.step;
    return work && LOWERING[work.kind].schema?.(work, { schemas, agents, owner: pipeline.owner });
  });
  const childOf = once((place: StepPosition): CompiledChild | undefined => {
    const { work } = place.step;
    return work && runsChild(work) && work.pipeline ? include(work.pipeline) : undefined;
  });
  const stepShape = once((place: StepPosition): OutputShape => outputShape(place, { schemaOf, childOf, of: stepShape }));
  const loopAt = once((place: StepPosition): Loop | undefined => {
    const { work } = place.step;
    return work && LOWERING[work.kind].loop?.(work, place, context);
  });
  function* variablesAround(of: StepPosition | undefined): Generator<VariableOf> {
    for (const loop of holdersOf(of)) for (const variable of loopAt(loop)?.variables ?? []) yield { loop, variable };
  }
  const variable = (name: string, of: StepPosition | undefined): VariableOf | undefined => {
    for (const found of variablesAround(of)) if (found.variable.name === name) return found;
    return undefined;
  };
  const context: LowerContext = {
    file,
    sources,
    pipeline,
    places,
    agents,
    schemas,
    calls: [],
    blobs,
    report,
    argSpec: (name) => pipeline.args.get(name)?.spec,
    reads: collectReads(variable),
    schemaOf,
    shapeOf: stepShape,
    childOf,
    variablesAround,
    variable,
    env: new Map(),
    namedAgents: new Set(),
    namedPeople: new Set(),
    installation,
    ...defined({ briefStart: around.briefStart }),
    channels: listedChannels(pipeline, installation),
    approvers: new Map(),
  };
  checkNameClashes(context, loopAt);
  context.approvers = channelApprovers(context);
  // The file's own environment is made before any step exists.
  const ofFile = (syntax: TemplateSyntax | undefined) => templateOf(syntax, undefined, context, { noSteps: true });
  const cwd = ofFile(pipeline.cwd);
  context.env = lowerEnvironment(pipeline.env ?? new Map(), ofFile, context);
  if (cwd) context.cwd = cwd;
  return context;
}

function once<T>(of: (place: StepPosition) => T): (place: StepPosition) => T {
  const known = new Map<StepPosition, { value: T }>();
  return (place) => {
    const found = known.get(place) ?? { value: of(place) };
    known.set(place, found);
    return found.value;
  };
}

/** What is known of the output of a step. */
function outputShape(place: StepPosition, shapes: Shapes): OutputShape {
  const { work } = place.step;
  return work ? LOWERING[work.kind].output(work, place, shapes) : OPEN;
}
