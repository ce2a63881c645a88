import { runsChild } from '../../kinds/questions';
import type { Child, Surroundings } from '../child';
import type { OutputShape } from '../expression/output-shape';
import type { TemplateSyntax } from '../expression/syntax';
import { loadAgents } from '../names/agents';
import { loadSchemas } from '../names/schemas';
import { loadSkills } from '../names/skills';
import { holdersOf, type Place, placesOf } from '../places';
import type { PipelineSource } from '../shape/source';
import { checkClashes } from './clashes';
import { type Context, listedChannels, templateOf, type VariableOf } from './context';
import { environmentOf } from './environment';
import { LOWERING } from './kinds';
import type { Loop } from './lowering';
import { channelApprovers } from './people';
import { collectReads } from './references';
import { outputShape } from './shapes';

/** Loads what a file names, and lays out its steps. Each is looked up when it is first asked for, and once. */
export function contextOf(file: string, pipeline: PipelineSource, around: Surroundings): Context {
  const { report, sources, installation, blobs, include } = around;
  const places = placesOf(pipeline, report);
  const schemas = loadSchemas(file, pipeline.schemas, sources, report);
  const agents = loadAgents(file, pipeline.agents, sources, { report, installation, schemas, skills: loadSkills(file, sources) });
  const schemaOf = once((place: Place) => {
    const { work } = place.step;
    return work && LOWERING[work.kind].schema?.(work, { schemas, agents, owner: pipeline.owner });
  });
  const childOf = once((place: Place): Child | undefined => {
    const { work } = place.step;
    return work && runsChild(work) && work.path ? include(work.path) : undefined;
  });
  const stepShape = once((place: Place): OutputShape => outputShape(place, { schemaOf, childOf, of: stepShape }));
  const loopAt = once((place: Place): Loop | undefined => {
    const { work } = place.step;
    return work && LOWERING[work.kind].loop?.(work, place, context);
  });
  function* variablesAround(of: Place | undefined): Generator<VariableOf> {
    for (const loop of holdersOf(of)) for (const variable of loopAt(loop)?.variables ?? []) yield { loop, variable };
  }
  const variable = (name: string, of: Place | undefined): VariableOf | undefined => {
    for (const found of variablesAround(of)) if (found.variable.name === name) return found;
    return undefined;
  };
  const context: Context = {
    pipeline,
    places,
    agents,
    blobs,
    report,
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
    channels: listedChannels(pipeline, installation),
    approvers: new Map(),
  };
  checkClashes(context, loopAt);
  context.approvers = channelApprovers(context);
  // No step is there yet when the file's own environment is made.
  const ofFile = (syntax: TemplateSyntax | undefined) => templateOf(syntax, undefined, context, { noSteps: true });
  const cwd = ofFile(pipeline.cwd);
  context.env = environmentOf(pipeline.env ?? new Map(), ofFile);
  if (cwd) context.cwd = cwd;
  return context;
}

function once<T>(of: (place: Place) => T): (place: Place) => T {
  const known = new Map<Place, { value: T }>();
  return (place) => {
    const found = known.get(place) ?? { value: of(place) };
    known.set(place, found);
    return found.value;
  };
}
