import { shownOf } from '../../kinds/questions';
import type { GateView } from '../../plan/people/gate';
import { starterText } from '../../plan/people/starter';
import type { RunView } from '../../plan/run/status';
import type { StepState } from '../../plan/run/step-state';
import type { ShownItem } from '../../plan/steps/kind-view';
import { columnLines } from './column-lines';
import { type ErrorLines, errorLines } from './error-lines';
import { questionLine } from './gate';
import { itemsWithin } from './kind-words';
import { runStateText, stepStateText, stepSymbol } from './states';
import { nested, readableAddress, type TreeBranch } from './step-tree';
import { oneLine, pad, widthOf } from './text/printable';
import { elapsed } from './text/time';
import { renderUsage } from './text/usage';
import { errorText, joinWithin, roundFacts, stepFacts, type TreeOptions, whoOf } from './tree-facts';

/**
 * A run as a tree: one line for each step with its round, time and verdict; below it its earlier rounds, its inner steps, and the open
 * gates of a child pipeline. Pure: the clock is given.
 */
export function renderTree(view: RunView, options: TreeOptions): string[] {
  const { colors } = options;
  const roots = nested(view.steps);
  const errors = errorLines(view);
  const drawing: Drawing = {
    ...options,
    errors,
    idWidth: Math.max(4, ...widthsOf(roots, 0)),
    whoWidth: Math.max(0, ...view.steps.map((step) => widthOf(whoOf(step)))),
    gates: view.gates,
  };
  const lines = [headline(view, options), ...stacked(partsOf(roots, '', drawing), '')];
  const { below } = errors;
  if (below !== undefined) {
    const at = below.step === undefined ? '' : `${below.step}: `;
    lines.push(`${colors.red('✗')} ${at}${errorText(below)}  ${colors.dim(below.code)}`);
  } else if (view.reason !== undefined) {
    lines.push(`${colors.red('✗')} ${oneLine(view.reason)}`);
  }
  for (const { step, agent, to, reason } of view.raised ?? [])
    lines.push(`${colors.yellow('!')} ${oneLine(step)}: ${oneLine(agent)} escalated to ${oneLine(to)}: ${oneLine(reason)}`);
  return lines;
}

interface Drawing extends TreeOptions {
  /** The width of names, indentation included. */
  idWidth: number;
  whoWidth: number;
  gates: readonly GateView[];
  errors: ErrorLines;
}

const INDENT = 3;
/** More steps than this in parallel are shown as numbers, but for those that need a look. */
const FOLDED_OVER = 40;
const QUIET: ReadonlySet<StepState> = new Set<StepState>(['done', 'skipped', 'pending']);

function widthsOf(branches: readonly TreeBranch[], depth: number): number[] {
  return branches.flatMap(({ name, within }) => [depth * INDENT + widthOf(name), ...widthsOf(within, depth + 1)]);
}

function headline(view: RunView, { colors, now }: TreeOptions): string {
  const parts = [colors.bold(view.run), runStateText(view.state, colors), colors.dim(elapsed(view.startedAt, view.endedAt, now))];
  if (view.usage !== undefined) parts.push(colors.dim(renderUsage(view.usage)));
  if (view.script !== undefined) parts.push(colors.dim(`script "${oneLine(view.script)}" plays the agents`));
  if (view.startedBy !== undefined) parts.push(colors.dim(`started by ${oneLine(starterText(view.startedBy))}`));
  return parts.filter((part) => part !== '').join('  ');
}

/** A part of the tree that knows its place only when it is drawn: whether it is the last of its kind. */
type Below = (prefix: string, branch: string) => string[];

function partsOf(branches: readonly TreeBranch[], prefix: string, drawing: Drawing): Below[] {
  const folds = prefix !== '' && branches.length > FOLDED_OVER;
  const quiet = folds ? branches.filter(({ step }) => QUIET.has(step.state)) : [];
  const shown = folds ? branches.filter(({ step }) => !QUIET.has(step.state)) : branches;
  const parts = shown.map(
    (branch): Below =>
      (before, mark) =>
        draw(branch, before, mark, drawing),
  );
  return quiet.length === 0
    ? parts
    : [
        ...parts,
        (before, mark) => [
          foldLine(
            quiet.map(({ step }) => step),
            `${before}${mark}`,
            drawing,
          ),
        ],
      ];
}

function stacked(parts: readonly Below[], prefix: string): string[] {
  return parts.flatMap((part, i) => part(prefix, i === parts.length - 1 ? '└─' : '├─'));
}

function draw({ step, name, within }: TreeBranch, prefix: string, mark: string, drawing: Drawing): string[] {
  const { colors, columns, idWidth, whoWidth } = drawing;
  const who = colors.dim(pad(whoOf(step), whoWidth));
  const begin = `${colors.dim(prefix + mark)} ${stepSymbol(step.state, colors)} ${pad(name, idWidth - prefix.length)}  ${who}  `;
  const line = (begin + joinWithin(stepFacts(step, drawing, drawing.errors.beside(step)), roomAfter(begin, columns))).trimEnd();
  const below: Below[] = (step.superseded ?? []).map((round) => (before, branch) => {
    const title = `round ${round.round}${round.try > 1 ? `, try ${round.try}` : ''}`;
    const start = `${colors.dim(before + branch)} ${stepSymbol('superseded', colors)} ${colors.dim(title)}  `;
    return [(start + joinWithin(roundFacts(round, drawing), roomAfter(start, columns))).trimEnd()];
  });
  const deeper = `${prefix}${mark === '└─' ? '   ' : '│  '}`;
  const gates = step.child === undefined ? [] : gatesWithin(readableAddress(step.address), drawing.gates);
  const shown = shownOf(step);
  const sides = shown?.words.columns?.(shown.view);
  if (sides) below.push(...boxOf(columnLines(sides, colors)));
  below.push(...itemLines(itemsWithin(step), drawing));
  for (const { at, gate } of gates) below.push((before, branch) => [gateLine(at, gate, before + branch, drawing)]);
  return [line, ...stacked([...below, ...partsOf(within, deeper, drawing)], deeper)];
}

function roomAfter(begin: string, columns: number): number {
  return Math.max(20, columns - widthOf(begin) - 1);
}

/** Open gates of a child pipeline, by the child's own names. */
function gatesWithin(address: string, gates: readonly GateView[]): { at: string; gate: GateView }[] {
  return gates.flatMap((gate) => (gate.step.startsWith(`${address}/`) ? [{ at: gate.step.slice(address.length + 1), gate }] : []));
}

function gateLine(at: string, gate: GateView, branch: string, { colors, columns }: Drawing): string {
  const begin = `${colors.dim(branch)} ${stepSymbol('waiting', colors)} ${at}  `;
  const who = gate.approvers === undefined ? 'a person' : gate.approvers.join(' or ');
  return (
    begin + joinWithin([colors.yellow(`waits for ${oneLine(who)}`), colors.dim(questionLine(gate.question))], roomAfter(begin, columns))
  );
}

/** A line an item: who has it, and what it is at. If there are many, those that are done, or are far from their turn, are counted. */
function itemLines(items: readonly ShownItem[], { colors, columns }: Drawing): Below[] {
  const folds = items.length > FOLDED_OVER;
  const shown = folds ? items.filter((item) => !QUIET.has(item.state)) : items;
  const idWidth = Math.max(0, ...shown.map(({ id }) => widthOf(id)));
  const lines = shown.map(
    (item): Below =>
      (before, mark) => {
        const begin = `${colors.dim(before + mark)} ${stepSymbol(item.state, colors)} ${pad(item.id, idWidth)}  ${colors.dim(pad(item.by ?? '', 2))}  `;
        return [(begin + joinWithin([item.words], roomAfter(begin, columns))).trimEnd()];
      },
  );
  const quiet = items.filter((item) => QUIET.has(item.state));
  return folds && quiet.length > 0 ? [...lines, (before, mark) => [foldLine(quiet, `${before}${mark}`, { colors })]] : lines;
}

/** Lines that belong together, at one place of the tree. */
function boxOf(lines: readonly string[]): Below[] {
  const box: Below = (before, mark) =>
    lines.map((line, i) => `${i === 0 ? before + mark : `${before}${mark === '└─' ? '  ' : '│ '}`} ${line}`);
  return [box];
}

function foldLine(folded: readonly { state: StepState }[], branch: string, { colors }: Pick<Drawing, 'colors'>): string {
  const counts = new Map<StepState, number>();
  for (const { state } of folded) counts.set(state, (counts.get(state) ?? 0) + 1);
  return `${colors.dim(branch)} ${[...counts].map(([state, number]) => `${number} ${stepStateText(state, colors)}`).join(', ')}`;
}
