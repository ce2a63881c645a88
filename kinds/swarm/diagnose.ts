import { defined } from '../../plan/defined';
import { RECORD_DOCUMENT } from '../../plan/patterns/called';
import type { ArtifactRef } from '../../plan/run/artifact';
import type { EntryEnd } from '../../workflows/interpreter/context/attempt-log';
import type { Ended, PartEnd, StepContext } from '../../workflows/interpreter/context/step-context';
import { decide } from '../../workflows/interpreter/patterns/decide';
import { journalFeedback } from '../../workflows/interpreter/patterns/journal-feedback';
import { partOf } from '../../workflows/interpreter/patterns/parts';
import { FILES_PART, VERIFY_PART } from './model';
import { readDiagnosis } from './rules/diagnosis';
import { diagnosisDocument, EXISTING_DOCUMENT } from './rules/turns';
import type { CheckEnd, SwarmPosition } from './state';
import { affectedNames, checkEnd, type SwarmStep, type TurnEnd, viewOf } from './swarm';

/**
 * Asks all agents in parallel, and notes each diagnosis as it arrives. In the first round the check runs at the same time: its result
 * before any fix shows later whether a fix has broken something.
 *
 * Invariants: 1. it ends once all have answered or the time is up; silent agents are left out; 2. answers that a lost worker was paid for
 * count (`context/all.ts`).
 */
export async function collectDiagnoses(step: SwarmStep, ctx: StepContext, position: SwarmPosition): Promise<TurnEnd> {
  const { it, place } = step;
  const { agents, timeoutMs, rounds } = place.step;
  const { turn, round, record } = position;
  ctx.once('join', () => join(step, position));
  const asked = agents.map(
    ({ name, part }) => [name, { part: partOf(it, place, part), turn, given: { [RECORD_DOCUMENT]: record } }] as const,
  );
  const checks = round === 1 ? [[CHECK, { part: partOf(it, place, VERIFY_PART), turn }] as const] : [];
  const { ended, failed } = await ctx.all('diagnoses', Object.fromEntries([...checks, ...asked]), {
    timeoutMs,
    opened: (so) => showDiagnoses(step, so),
    ended: (name, end) => takeDown(step, name, end),
  });
  const documents = Object.fromEntries(
    agents.flatMap(({ name }) => {
      const { artifact } = (ended[name] as PartEnd | undefined) ?? {};
      return artifact ? [[diagnosisDocument(name), artifact] as const] : [];
    }),
  );
  const given = { agents: agents.map(({ name, perspective }) => ({ name, perspective })) };
  const existing = await whichExist(step, ctx, turn, given, documents);
  const skipped = agents.flatMap(({ name }) => (name in ended ? [] : [{ agent: name, reason: failed[name]?.message ?? SILENT }]));
  const { artifact, values } = await decide<'chooseDiagnosis'>(it, place, ctx, `best-${turn}`, () => ({
    call: { rule: 'chooseDiagnosis', given: { ...given, round, rounds, skipped } },
    documents: { ...documents, [RECORD_DOCUMENT]: record, ...defined({ [EXISTING_DOCUMENT]: existing }) },
  }));
  const { candidates, next } = values;
  const before = round === 1 ? checkBefore(step, ended[CHECK] as PartEnd | undefined, failed[CHECK]?.message) : position.before;
  return { next, position: { ...position, record: artifact, candidates, ...defined({ before }) } };
}

/** No agent has this name, because a name has no blanks. */
const CHECK = 'the check';
const SILENT = 'no answer in time';

/** Undefined if the check did not end in time. */
function checkBefore(step: SwarmStep, end: PartEnd | undefined, failed: string | undefined): CheckEnd | undefined {
  if (failed !== undefined) return { failed };
  return end && checkEnd(step, end);
}

/** The existing ones of the named paths, as a text in the store. Without it no path counts. */
async function whichExist(
  { it, place }: SwarmStep,
  ctx: StepContext,
  turn: number,
  given: { agents: { name: string; perspective: string }[] },
  documents: Record<string, ArtifactRef>,
): Promise<ArtifactRef | undefined> {
  const named = await decide<'namedPaths'>(it, place, ctx, `paths-${turn}`, () => ({ call: { rule: 'namedPaths', given }, documents }));
  if (named.values.count === 0) return undefined;
  const looked = await ctx.attempt(() => ctx.step(partOf(it, place, FILES_PART), { turn, given: { paths: named.artifact } }));
  return 'value' in looked ? looked.value.artifact : undefined;
}

function join(step: SwarmStep, { issue, soFar }: SwarmPosition): void {
  const { it, place } = step;
  const assignment = `All agents diagnose, each from its perspective: ${place.step.agents.map(({ name, perspective }) => `${name}: ${perspective}`).join(', ')}`;
  journalFeedback(it, place, {
    type: 'swarm_join',
    data: { issue, affected_tasks: affectedNames(step), diagnosis_so_far: soFar, assignment },
  });
}

/** Notes an answer in the journal and the view, whether it is a diagnosis or not. */
function takeDown(step: SwarmStep, name: string, end: EntryEnd): void {
  const { it, place } = step;
  const agent = place.step.agents.find((one) => one.name === name);
  if (!agent) return;
  const { diagnosis, refused } = read(agent, end);
  if (diagnosis) {
    const { by: _from, ...data } = diagnosis;
    journalFeedback(it, place, { type: 'swarm_diagnosis', from: name, data });
  } else {
    it.run.journal.add({ kind: 'step', step: it.run.name(place.path), state: 'running', reason: `${name} has no diagnosis: ${refused}` });
  }
  show(step, name, end);
  it.changed();
}

function read(agent: { name: string; perspective: string }, { failure, value }: EntryEnd) {
  if (failure) return { refused: `${failure.code}: ${failure.message}` };
  const diagnosis = readDiagnosis((value as PartEnd).values, agent);
  return diagnosis ? { diagnosis } : { refused: 'its answer is not a diagnosis' };
}

function show(step: SwarmStep, name: string, end: EntryEnd): void {
  const agent = step.place.step.agents.find((one) => one.name === name);
  const shown = viewOf(step).agents.find((one) => one.name === name);
  if (!agent || !shown) return;
  const { diagnosis, refused } = read(agent, end);
  Object.assign(shown, diagnosis ? { confidence: diagnosis.confidence } : { skipped: refused });
}

/** In a fresh execution, and in a rerun, the view is rebuilt from the log. */
function showDiagnoses(step: SwarmStep, ended: Ended): void {
  for (const [name, end] of Object.entries(ended)) show(step, name, end);
  step.it.changed();
}
