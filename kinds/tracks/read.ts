import type { Located, Report } from '../../compiler/diagnostics/diagnostic';
import type { TemplateSyntax } from '../../compiler/expression/syntax';
import { RANGES } from '../../compiler/language/ranges';
import type { MappingName } from '../../compiler/language/row';
import { type Entry, entryOf, type MappingNode } from '../../compiler/read/node';
import { readActions } from '../../compiler/shape/action';
import { checkKeys, headOf, requireKey } from '../../compiler/shape/keys';
import { checkName } from '../../compiler/shape/names';
import { readOutput } from '../../compiler/shape/output';
import type { ReadContext } from '../../compiler/shape/read-context';
import type { StepSource } from '../../compiler/shape/source';
import { templateAt } from '../../compiler/shape/template-value';
import { durationOf, integerOf, mappingOf, sequenceOf, textOf, textsOf, wordOf } from '../../compiler/shape/values';
import { keysOf } from '../../compiler/shape/vocabulary';
import { defined } from '../../plan/defined';
import { AHEAD } from './model';
import { TRACK_SIDES } from './rules/alignment';
import type { PhaseSource, SyncSource, TrackSource, TracksSource } from './source';

/** Two tracks, and the points at which they are aligned. */
export function readTracks(node: MappingNode, _step: StepSource, { report }: ReadContext): TracksSource {
  const get = (key: string): Entry | undefined => entryOf(node, key);
  for (const [key, hint] of REQUIRED) requireKey(node, key, 'a step of kind "tracks"', report, hint);
  const [a, b] = TRACK_SIDES.map((side) => readTrack(get(side), report));
  const [sync, ahead, blocked, misaligned] = ['sync', 'ahead', 'on_blocked', 'on_misaligned'].map(get);
  const isLinear = misaligned?.value.kind === 'scalar' && misaligned.value.text === 'linear';
  return {
    kind: 'tracks',
    sync: sync ? listOf(sync, POINT, report).flatMap((point) => readPoint(point, report) ?? []) : [],
    ...defined({
      ...{ a, b, integration: templateIn(get('integration'), report) },
      ahead: ahead && wordOf(ahead, AHEAD, report)?.value,
      onBlocked: blocked && readActions(blocked, 'on_blocked', report),
      onMisaligned: misaligned && !isLinear ? readActions(misaligned, 'on_misaligned', report) : undefined,
    }),
  };
}

const REQUIRED = [
  ['a', 'add `a: {agent: designer, phases: [{id: api, prompt: …}]}`'],
  ['b', 'add `b: {agent: coder, phases: [{id: core, prompt: …}]}`'],
  ['sync', 'add `sync: [{id: contract, after: [api, core]}]`; two tracks without a point are a `parallel`'],
] as const;

/** One of the mappings in a list, in words, and as written. */
interface Listed {
  name: MappingName;
  what: string;
  such: string;
}
const PHASE: Listed = { name: 'phase', what: 'a phase', such: '{id: api, prompt: …}' };
const POINT: Listed = { name: 'sync-point', what: 'a sync point', such: '{id: contract, after: [api, scaffold]}' };

/** The mappings of a list, which is not empty. */
function listOf(entry: Entry, { name, what, such }: Listed, report: Report): MappingNode[] {
  const list = sequenceOf(entry, report, `a list such as [${such}]`);
  if (list?.items.length === 0) report('shape.out-of-range', entry.value.at, `"${entry.key}" is an empty list`, `add ${such}`);
  return (list?.items ?? []).flatMap((value) => {
    const node = mappingOf({ ...entry, value }, report, `a mapping such as ${such}`);
    if (!node) return [];
    checkKeys(node, { what, known: keysOf(name) }, report);
    return node;
  });
}

function readTrack(entry: Entry | undefined, report: Report): TrackSource | undefined {
  const node = entry && mappingOf(entry, report, 'a mapping such as {agent: designer, phases: […]}');
  if (!entry || !node) return undefined;
  const what = `"${entry.key}"`;
  checkKeys(node, { what, known: keysOf('track') }, report);
  requireKey(node, 'agent', what, report, 'add `agent:`, who does its phases');
  requireKey(node, 'phases', what, report, 'add `phases:`, what is done, in order');
  const [named, phases] = [entryOf(node, 'agent'), entryOf(node, 'phases')];
  return {
    ...defined({ agent: named && textOf(named, report) }),
    phases: phases ? listOf(phases, PHASE, report).flatMap((phase) => readPhase(phase, report) ?? []) : [],
  };
}

function readPhase(node: MappingNode, report: Report): PhaseSource | undefined {
  const id = idOf(node, PHASE.what, report);
  requireKey(node, 'prompt', PHASE.what, report, 'add `prompt:`, what is to be done');
  const limit = entryOf(node, 'timeout');
  const more = defined({ prompt: templateIn(entryOf(node, 'prompt'), report), timeoutMs: limit && durationOf(limit, report) });
  if (!id) return undefined;
  const phase: PhaseSource = { id, ...more };
  readOutput(node, phase, report);
  return phase;
}

function readPoint(node: MappingNode, report: Report): SyncSource | undefined {
  const id = idOf(node, POINT.what, report);
  requireKey(node, 'after', POINT.what, report, 'add `after: [api, scaffold]`, a phase of each track');
  const [name, after, check, rounds, wait] = ['name', 'after', 'check', 'rounds', 'wait'].map((key) => entryOf(node, key));
  const phases = after && textsOf(after, report, 'a list such as [api, scaffold]');
  if (after && phases && phases.length !== 2) {
    const message = `"after" names ${phases.length === 1 ? 'one phase' : `${phases.length} phases`}, and a sync point comes after two`;
    report('shape.out-of-range', after.value.at, message, 'name one phase of each track');
  }
  const { min, max } = RANGES.syncRounds;
  const more = defined({
    title: name && textOf(name, report)?.value,
    rounds: rounds && integerOf(rounds, min, max, report),
    waitMs: wait && durationOf(wait, report),
  });
  return id && { id, at: headOf(node), after: phases ?? [], ...more, ...readCheck(check, report) };
}

function readCheck(entry: Entry | undefined, report: Report): Pick<SyncSource, 'agent' | 'prompt'> {
  const node = entry && mappingOf(entry, report, 'a mapping such as {agent: lead, prompt: …}');
  if (!node) return {};
  checkKeys(node, { what: '"check"', known: keysOf('alignment-check') }, report);
  const agent = entryOf(node, 'agent');
  return defined({ agent: agent && textOf(agent, report), prompt: templateIn(entryOf(node, 'prompt'), report) });
}

function templateIn(entry: Entry | undefined, report: Report): TemplateSyntax | undefined {
  return entry && textOf(entry, report) && templateAt(entry, report);
}

function idOf(node: MappingNode, what: string, report: Report): Located<string> | undefined {
  requireKey(node, 'id', what, report, 'add `id:`');
  const entry = entryOf(node, 'id');
  const id = entry && textOf(entry, report);
  return id && checkName(id, 'step', report) ? id : undefined;
}
