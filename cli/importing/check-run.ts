import { createColors } from 'picocolors';
import { STEP_KINDS } from '../../kinds/traits';
import { isArtifactRef } from '../../plan/run/artifact';
import { JOURNAL_KINDS, type JournalEntry } from '../../plan/run/journal';
import type { RunResult } from '../../plan/run/run-result';
import { RUN_STATES, type RunView } from '../../plan/run/status';
import { STEP_STATES } from '../../plan/run/step-state';
import { controlPlan } from '../../plan/steps/control';
import { field, isJsonObject, type Json } from '../../plan/text/json';
import { jsonIn } from '../../plan/text/json-text';
import { type AccountEntry, readAccountEntry } from '../../records/accounts/account-log';
import { damaged } from '../../records/exports/export-problem';
import type { ExportedRun } from '../../records/exports/exported-run';
import { isMoment } from '../../records/runs/ended-run';
import { planFromText } from '../pipelines/child-plans';
import { renderEntry } from '../rendering/journal';
import { renderRounds } from '../rendering/rounds';
import { renderTree } from '../rendering/tree';

/**
 * Checks the documents of an export, which anybody may have written. What is checked field by field is what records are found by; the rest
 * is only shown, so it has to pass those that show it. Each fails with `import.damaged` and the path of the file.
 */
const PLAIN = createColors(false);

export function checkRun(path: string, bytes: Buffer, run: string): ExportedRun {
  const stored = jsonIn(bytes.toString('utf8'));
  const [view, parent] = [field(stored, 'view'), field(stored, 'parent')];
  const wrong =
    viewProblem(view, run) ?? (parent === undefined ? undefined : parentProblem(parent)) ?? resultProblem(field(stored, 'result'));
  if (wrong !== undefined) throw damaged(path, wrong);
  const known = view as unknown as RunView;
  mustShow(path, () => [renderTree(known, { colors: PLAIN, columns: 80, now: 0 }), renderRounds(known, () => undefined, PLAIN, 0)]);
  const result = field(stored, 'result') as unknown as RunResult | undefined;
  const by = parent as unknown as ExportedRun['parent'];
  return { view: known, ...(result === undefined ? {} : { result }), ...(by === undefined ? {} : { parent: by }) };
}

export function checkJournal(path: string, bytes: Buffer): JournalEntry[] {
  return linesOf(path, bytes).map((line, at) => {
    const isEntry =
      field(line, 'seq') === at + 1 && isMoment(field(line, 'at')) && JOURNAL_KINDS.some((kind) => kind === field(line, 'kind'));
    if (!isEntry) throw damaged(`${path}:${at + 1}`, `is not entry ${at + 1} of a journal`);
    const entry = line as unknown as JournalEntry;
    mustShow(`${path}:${at + 1}`, () => renderEntry(entry, PLAIN));
    return entry;
  });
}

/** A plan of another version cannot be drawn, and is kept as it is. */
export function checkPlan(path: string, bytes: Buffer): void {
  const text = bytes.toString('utf8');
  if (!isJsonObject(jsonIn(text))) throw damaged(path, 'is no plan');
  const plan = planFromText(text);
  if (plan) mustShow(path, () => controlPlan(plan));
}

export function checkAccounts(path: string, bytes: Buffer, run: string): { entry: AccountEntry; line: Json }[] {
  return linesOf(path, bytes).map((line, at) => {
    const entry = readAccountEntry(line);
    if (!entry || !isName(entry.call)) throw damaged(`${path}:${at + 1}`, 'is no entry of an account');
    if (entry.kind === 'paid' && entry.run !== run) throw damaged(`${path}:${at + 1}`, `is of the run ${JSON.stringify(entry.run)}`);
    return { entry, line };
  });
}

/** JSON, a line each. */
export function linesOf(path: string, bytes: Buffer): Json[] {
  const texts = bytes.toString('utf8').split('\n');
  if (texts.pop() !== '') throw damaged(path, 'ends within a line');
  return texts.map((text, at) => {
    const line = jsonIn(text);
    if (!isJsonObject(line)) throw damaged(`${path}:${at + 1}`, 'is no JSON object');
    return line;
  });
}

/** Whether a text can be the id of a run, or of a call. */
export function isName(text: unknown): text is string {
  return typeof text === 'string' && text.length <= MOST_NAME && /^[^\p{C}\p{Z}]+$/u.test(text);
}
const MOST_NAME = 1000;

function viewProblem(view: Json | undefined, run: string): string | undefined {
  if (!isJsonObject(view) || view['run'] !== run) return `view is not that of the run ${JSON.stringify(run)}`;
  const { state, startedAt, endedAt, steps, gates, args, totalSteps } = view;
  const names = ['runId', 'firstRunId', 'pipeline'].find((name) => !isName(view[name]));
  if (names !== undefined) return `view.${names} is invalid`;
  if (!RUN_STATES.some((known) => known === state)) return 'view.state is invalid';
  if (!isMoment(startedAt) || (endedAt !== undefined && (!isMoment(endedAt) || endedAt < startedAt)))
    return 'the times of view are invalid';
  if (!isJsonObject(args) || !Array.isArray(gates) || !Array.isArray(steps) || totalSteps !== steps.length) return 'view is not whole';
  const at = steps.findIndex((step) => !isStep(step));
  return at === -1 ? undefined : `view.steps[${at}] is no step`;
}

function isStep(step: Json): boolean {
  const kind = field(step, 'kind');
  const earlier = field(step, 'superseded');
  if (!isName(field(step, 'id')) || !STEP_KINDS.some((known) => known === kind) || !isRound(step)) return false;
  return earlier === undefined || (Array.isArray(earlier) && earlier.every(isRound));
}

function isRound(round: Json): boolean {
  const [address, state, artifact] = [field(round, 'address'), field(round, 'state'), field(round, 'artifact')];
  const times = [field(round, 'startedAt'), field(round, 'endedAt')].every((time) => time === undefined || isMoment(time));
  const numbers = [field(round, 'round'), field(round, 'try')].every((number) => Number.isSafeInteger(number));
  const hasOutput = artifact === undefined || (isArtifactRef(artifact) && /^[0-9a-f]{64}$/.test(artifact.sha256));
  return isName(address) && STEP_STATES.some((known) => known === state) && times && numbers && hasOutput;
}

function parentProblem(parent: Json): string | undefined {
  return isName(field(parent, 'run')) && isName(field(parent, 'step')) ? undefined : 'parent is invalid';
}

function resultProblem(result: Json | undefined): string | undefined {
  if (result === undefined) return undefined;
  const [status, artifacts] = [field(result, 'status'), field(result, 'artifacts')];
  const isResult =
    (status === 'completed' || status === 'rejected') && isJsonObject(artifacts) && Object.values(artifacts).every(isArtifactRef);
  return isResult ? undefined : 'result is invalid';
}

function mustShow(path: string, show: () => unknown): void {
  try {
    show();
  } catch (error) {
    throw damaged(path, `cannot be shown: ${error instanceof Error ? error.message : String(error)}`);
  }
}
