import type { ErrorView, RoundView, StepView } from '../../plan/run/status';
import type { VerdictRecord } from '../../plan/steps/verdict';
import { duration } from '../../plan/text/duration';
import type { Colors } from '../terminal';
import { kindFacts } from './kind-words';
import { verdictWord } from './states';
import { oneLine, truncate, widthOf } from './text/printable';

export interface TreeOptions {
  colors: Colors;
  columns: number;
  /** Milliseconds since the epoch. */
  now: number;
}

/** Who does a step, or else what kind it is. */
export function whoOf(step: StepView): string {
  return step.agent ?? step.kind;
}

/** Facts of a step in the order of their weight. `error`: the part of its failure to show here. */
export function stepFacts(step: StepView, { colors, now }: TreeOptions, error: ErrorView | undefined): string[] {
  const facts = [timeOf(step, now)];
  if (step.turn !== undefined) facts.push(`turn ${step.turn}`);
  if (step.iterations !== undefined) facts.push(`${step.iterations.done}/${step.iterations.total}`);
  facts.push(...kindFacts(step, colors));
  if (step.round > 1) facts.push(`round ${step.round}`);
  if (step.try > 1) facts.push(`try ${step.try}`);
  facts.push(...verdictFacts(step.verdict, colors));
  if (step.decision !== undefined) {
    const by = step.decision.by === undefined ? '' : ` by ${oneLine(step.decision.by)}`;
    facts.push(`${oneLine(step.decision.choice)}${by}`);
  }
  if (step.waitingFor !== undefined) facts.push(colors.yellow(`waits for ${oneLine(waitedFor(step, step.waitingFor, error))}`));
  if (step.skipped !== undefined) facts.push(colors.dim(oneLine(step.skipped)));
  facts.push(...errorFacts(error, colors));
  if (step.carried !== undefined) facts.push(colors.dim(`from ${oneLine(step.carried.run)}`));
  if (step.child !== undefined) facts.push(colors.dim(`run ${oneLine(step.child)}`));
  if (step.artifact?.name !== undefined) facts.push(colors.dim(oneLine(step.artifact.name)));
  return facts;
}

/** Facts of a round that was set aside. */
export function roundFacts(round: RoundView, { colors, now }: TreeOptions): string[] {
  return [timeOf(round, now), ...verdictFacts(round.verdict, colors), ...deltaFacts(round.verdict), ...errorFacts(round.error, colors)];
}

/** What became of the previous round's findings. */
function deltaFacts(verdict: VerdictRecord | undefined): string[] {
  if (verdict?.delta === undefined) return [];
  const { resolved, remaining, added } = verdict.delta;
  return resolved + remaining + added === 0 ? [] : [`findings: ${resolved} resolved, ${remaining} left, ${added} new`];
}

export function errorText(error: ErrorView): string {
  return oneLine(error.message);
}

function timeOf(round: RoundView, now: number): string {
  if (round.startedAt === undefined) return '';
  const end = round.endedAt === undefined ? now : Date.parse(round.endedAt);
  return duration(end - Date.parse(round.startedAt));
}

function verdictFacts(verdict: VerdictRecord | undefined, colors: Colors): string[] {
  if (verdict === undefined) return [];
  const found = Object.entries(verdict.findings).map(([severity, number]) => `${number} ${severity}`);
  const target = verdict.reviseTarget === undefined || verdict.verdict !== 'revise' ? '' : ` → ${oneLine(verdict.reviseTarget)}`;
  const facts = [`${verdictWord(verdict.verdict, colors)}${target}`];
  if (found.length > 0) facts.push(found.join(', '));
  if (verdict.decidedBy !== undefined) facts.push(`decided by ${oneLine(verdict.decidedBy)}`);
  return facts;
}

/** A step that is held for its failure repeats it; it is shown once. */
function waitedFor({ state }: StepView, text: string, error: ErrorView | undefined): string {
  return state === 'held' && error !== undefined && text.includes(error.message) ? 'an operator' : text;
}

function errorFacts(error: ErrorView | undefined, colors: Colors): string[] {
  return error === undefined ? [] : [colors.red(`${error.code}: ${errorText(error)}`)];
}

const GAP = '  ';

/** As many facts as fit; the first that does not is cut. */
export function joinWithin(facts: readonly string[], room: number): string {
  let line = '';
  for (const fact of facts.filter((text) => text !== '')) {
    const left = room - widthOf(line) - (line === '' ? 0 : GAP.length);
    // A fact that is cut loses its colour: cutting between escape sequences would leave the line coloured.
    if (widthOf(fact) > left) return left < 12 ? line : `${line}${line === '' ? '' : GAP}${truncate(oneLine(fact), left)}`;
    line += (line === '' ? '' : GAP) + fact;
  }
  return line;
}
