import type { RoundView, RunView, StepView } from '../../plan/status';
import type { VerdictRecord } from '../../plan/verdict';
import type { Colors } from '../terminal';
import { oneLine, pad, truncate, widthOf } from './printable';
import { runState, stepSymbol, verdictWord } from './states';
import { duration, elapsed } from './time';
import { renderUsage } from './usage';

/**
 * A run as a tree: a line a step with its round, time and verdict, earlier rounds below it. Pure: the clock is given.
 */
export interface TreeOptions {
  colors: Colors;
  columns: number;
  /** Milliseconds since the epoch. */
  now: number;
}

export function renderTree(view: RunView, options: TreeOptions): string[] {
  const idWidth = Math.max(4, ...view.steps.map((step) => widthOf(step.id)));
  const whoWidth = Math.max(0, ...view.steps.map((step) => widthOf(whoOf(step))));
  const lines = [headline(view, options)];
  view.steps.forEach((step, index) => {
    const last = index === view.steps.length - 1;
    lines.push(stepLine(step, last ? '└─' : '├─', idWidth, whoWidth, options));
    const rounds = step.superseded ?? [];
    rounds.forEach((round, i) => {
      const branch = i === rounds.length - 1 ? '└─' : '├─';
      lines.push(roundLine(round, `${last ? '   ' : '│  '}${branch}`, options));
    });
  });
  if (view.error !== undefined) {
    const at = view.error.step === undefined ? '' : `${view.error.step}: `;
    lines.push(`${options.colors.red('✗')} ${at}${oneLine(view.error.message)} ${options.colors.dim(view.error.code)}`);
  }
  return lines;
}

function headline(view: RunView, { colors, now }: TreeOptions): string {
  const parts = [colors.bold(view.run), runState(view.state, colors), colors.dim(elapsed(view.startedAt, view.endedAt, now))];
  if (view.usage !== undefined) parts.push(colors.dim(renderUsage(view.usage)));
  if (view.script !== undefined) parts.push(colors.dim(`script "${oneLine(view.script)}" stands in for the agents`));
  return parts.filter((part) => part !== '').join('  ');
}

function whoOf(step: StepView): string {
  return step.agent ?? step.kind;
}

function stepLine(step: StepView, branch: string, idWidth: number, whoWidth: number, options: TreeOptions): string {
  const { colors } = options;
  const begin = `${colors.dim(branch)} ${stepSymbol(step.state, colors)} ${pad(step.id, idWidth)}  ${colors.dim(pad(whoOf(step), whoWidth))}  `;
  const room = Math.max(20, options.columns - widthOf(begin) - 1);
  return (begin + joinWithin(factsOf(step, options), room)).trimEnd();
}

function roundLine(round: RoundView, branch: string, options: TreeOptions): string {
  const { colors } = options;
  const name = `round ${round.round}${round.try > 1 ? `, try ${round.try}` : ''}`;
  const begin = `${colors.dim(branch)} ${stepSymbol('superseded', colors)} ${colors.dim(name)}  `;
  const facts = [timeOf(round, options.now), ...verdictFacts(round.verdict, colors), ...errorFacts(round, colors)];
  return (begin + joinWithin(facts, Math.max(20, options.columns - widthOf(begin) - 1))).trimEnd();
}

/** Facts in the order of their weight; the ones that find no room are left out, the first of them is cut. */
function factsOf(step: StepView, { colors, now }: TreeOptions): string[] {
  const facts = [timeOf(step, now)];
  if (step.round > 1) facts.push(`round ${step.round}`);
  if (step.try > 1) facts.push(`try ${step.try}`);
  facts.push(...verdictFacts(step.verdict, colors));
  if (step.decision !== undefined) {
    const by = step.decision.by === undefined ? '' : ` by ${oneLine(step.decision.by)}`;
    facts.push(`${step.decision.choice}${by}`);
  }
  if (step.waitingFor !== undefined) facts.push(colors.yellow(`waits for ${oneLine(step.waitingFor)}`));
  facts.push(...errorFacts(step, colors));
  if (step.artifact?.name !== undefined) facts.push(colors.dim(oneLine(step.artifact.name)));
  return facts;
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

function errorFacts(round: RoundView, colors: Colors): string[] {
  return round.error === undefined ? [] : [colors.red(`${round.error.code}: ${oneLine(round.error.message)}`)];
}

const GAP = '  ';

function joinWithin(facts: readonly string[], room: number): string {
  let line = '';
  for (const fact of facts.filter((text) => text !== '')) {
    const left = room - widthOf(line) - (line === '' ? 0 : GAP.length);
    if (widthOf(fact) > left) return left < 12 ? line : `${line}${line === '' ? '' : GAP}${truncate(plainOf(fact), left)}`;
    line += (line === '' ? '' : GAP) + fact;
  }
  return line;
}

/** A fact that is cut loses its colour: cutting between escape sequences would leave the line coloured. */
function plainOf(text: string): string {
  return oneLine(text);
}
