import { goesOverItems, runsChild } from '../../kinds/questions';
import type { Child, Surroundings } from '../child';
import { itemOf, OPEN, type OutputShape } from '../expression/output-shape';
import { shapeOf } from '../expression/reference';
import { resolve } from '../expression/resolve';
import type { TemplateSyntax } from '../expression/syntax';
import { loadAgents } from '../names/agents';
import { loadSchemas } from '../names/schemas';
import { loadSkills } from '../names/skills';
import { type Place, placesOf } from '../places';
import type { PipelineSource } from '../shape/source';
import { checkClashes } from './clashes';
import { type Context, listedChannels, templateOf } from './context';
import { environmentOf } from './environment';
import { LOWERING } from './kinds';
import { namesFor } from './names';
import { channelApprovers } from './people';
import { collectReads } from './references';
import { outputShape } from './shapes';

/** Loads what a file names, and lays out its steps. Each is looked up when it is first asked for, and once. */
export function contextOf(file: string, pipeline: PipelineSource, around: Surroundings): Context {
  const { report, sources, installation, blobs, include } = around;
  const places = placesOf(pipeline, report);
  checkClashes(pipeline, places, report);
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
  const context: Context = {
    pipeline,
    places,
    agents,
    blobs,
    report,
    reads: collectReads(),
    schemaOf,
    shapeOf: stepShape,
    childOf,
    itemOf: once((loop: Place) => shapeOfItem(loop, context)),
    env: new Map(),
    namedAgents: new Set(),
    namedPeople: new Set(),
    installation,
    channels: listedChannels(pipeline, installation),
    approvers: new Map(),
  };
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

/** What a loop's items are, where its list is a reference. Its mistakes are reported where the loop itself is lowered. */
function shapeOfItem(loop: Place, context: Context): OutputShape {
  const { work } = loop.step;
  if (!work || !goesOverItems(work) || !work.items) return OPEN;
  const names = namesFor(context, loop);
  const list = resolve(work.items, names, () => undefined);
  return list ? itemOf(shapeOf(list, names)) : OPEN;
}
