import type { GateForm, GateView } from '../../plan/people/gate';
import { headedQuestion } from '../../plan/people/headed-question';
import type { RunMemo } from '../../plan/run/run-memo';
import { jsonText } from '../../plan/text/json-text';
import { numberAt, type Spelled } from '../../plan/text/spelled-json';
import type { Colors } from '../terminal';
import { answerLines, type ServerPlace } from './answer';
import { namedAddress } from './step-tree';
import { manyLines, oneLine, truncate } from './text/printable';
import { clock, localTime } from './text/time';

/** The question of a gate, its approvers, and its subject. `paths` finds the shown outputs. */
export function renderGate(gate: GateView, colors: Colors, paths: (gate: GateView) => readonly string[], form?: GateForm): string {
  const to = gate.channel === undefined ? '' : ` ${colors.dim(`in ${gate.channel}`)}`;
  const lines = [
    `${colors.yellow('?')} ${colors.bold(namedAddress(gate.step, gate.item))} waits for ${gate.kind === 'input' ? 'an answer' : 'a person'}${to}`,
  ];
  for (const line of manyLines(gate.question).split('\n')) lines.push(`  ${line}`);
  lines.push(...formLines(form, colors).map((line) => `  ${line}`));
  for (const path of paths(gate)) lines.push(`  ${colors.dim('shown:')} ${path}`);
  lines.push(...peopleLines(gate, colors).map((line) => `  ${line}`));
  return `${lines.join('\n')}\n`;
}

/** The lines that answer a gate. */
export function renderAnswers(
  run: string,
  gate: RunMemo['gates'][number],
  onlyGate: boolean,
  server: ServerPlace,
  colors: Colors,
  form?: GateForm,
): string {
  const answers = answerLines(run, gate, onlyGate, server, form);
  const ours = answers.map((answer) => `  ${answer.thermidor}`);
  const theirs =
    answers[0]?.temporal === undefined
      ? []
      : [
          colors.dim(server.embedded ? '  or, while `thermidor up` or another command keeps the server up:' : '  or:'),
          `  ${answers[0].temporal}`,
        ];
  return `${[...ours, ...theirs].join('\n')}\n`;
}

/** One open gate of the inbox. */
export function renderInboxGate(
  run: string,
  gate: RunMemo['gates'][number],
  onlyGate: boolean,
  server: ServerPlace,
  colors: Colors,
  form?: GateForm,
): string {
  const head = `${colors.yellow('?')} ${colors.bold(run)}  ${namedAddress(gate.step, gate.item)}  ${colors.dim(`since ${clock(gate.openedAt)}`)}`;
  const about = [...questionInBrief(gate), ...formLines(inBrief(form), colors), ...peopleLines(gate, colors)].map((line) => `  ${line}\n`);
  return `${head}\n${about.join('')}${renderAnswers(run, gate, onlyGate, server, colors, form)}`;
}

/** Characters of a question in a list; `why` and `status` have all of it. */
const MOST_QUESTION = 300;

/** Each message of the chain has a line of its own; the question, which repeats them, is cut in lists. */
function questionInBrief({ question, said }: RunMemo['gates'][number]): string[] {
  const [first = ''] = question.split('\n');
  return said ? [oneLine(first), ...said.map((one) => oneLine(`${one.agent} ${one.said}`))] : [questionLine(question)];
}

/** A question in a list. */
export function questionLine(question: string): string {
  return truncate(oneLine(headedQuestion(question) ?? question), MOST_QUESTION);
}

const PREVIEW_LINES = 12;

/** In a list of gates the beginning of a preview is enough to tell which one it is. */
function inBrief(form: GateForm | undefined): GateForm | undefined {
  const lines = form?.preview?.split('\n') ?? [];
  if (form === undefined || lines.length <= PREVIEW_LINES) return form;
  return { ...form, preview: [...lines.slice(0, PREVIEW_LINES), `… and ${lines.length - PREVIEW_LINES} more lines`].join('\n') };
}

const ITEMS_SHOWN = 10;
const LINE = 300;

/** What a program needs to ask the question itself: its subject, the choices, and the shape of the answer. */
function formLines(form: GateForm | undefined, colors: Colors): string[] {
  if (form === undefined) return [];
  const lines: string[] = [];
  const fact = (name: string, value: Spelled | undefined): void => {
    if (value !== undefined && value !== null && shown(value).trim() !== '') lines.push(`${colors.dim(`${name}:`)} ${shown(value)}`);
  };
  if (form.preview !== undefined) lines.push(...manyLines(form.preview).split('\n'));
  for (const item of form.items?.slice(0, ITEMS_SHOWN) ?? []) lines.push(`- ${shown(item)}`);
  const more = (form.items?.length ?? 0) - ITEMS_SHOWN;
  if (more > 0) lines.push(colors.dim(`… and ${more} more`));
  fact('about', form.subject);
  fact('schema', form.responseSchema);
  fact('offers', numberAt(form, 'defaults') ?? form.defaults);
  fact('initiated by', form.initiatedBy);
  fact('must decide', form.requiredApprover);
  if (form.requireDifferentApprover) lines.push(colors.dim('the person who initiated it may not decide'));
  return lines;
}

function shown(value: Spelled): string {
  return truncate(oneLine(typeof value === 'string' ? value : jsonText(value)), LINE);
}

/** Who may decide, and, if several must, who has. */
function peopleLines(gate: RunMemo['gates'][number], colors: Colors): string[] {
  const { approvers, approvedBy, quorum, notBy, identity, note, comment, deadline } = gate;
  const lines: string[] = [];
  if (approvers !== undefined && approvers.length > 0) lines.push(`${colors.dim('may decide:')} ${approvers.map(oneLine).join(', ')}`);
  if (quorum !== undefined && quorum > 1) {
    const by = approvedBy?.map(oneLine).join(', ') ?? '';
    lines.push(`${colors.dim('approved by:')} ${by === '' ? 'nobody yet' : by} ${colors.dim(`(${approvedBy?.length ?? 0} of ${quorum})`)}`);
  }
  if (notBy && notBy.length > 0) lines.push(`${colors.dim('may not decide:')} ${notBy.map(oneLine).join(', ')}`);
  if (note !== undefined) lines.push(colors.dim(oneLine(note)));
  if (identity === 'proven') lines.push(colors.dim('a claimed name is not enough: answer from the channel, or sign with your token'));
  if (comment !== undefined)
    lines.push(colors.dim(comment === 'always' ? 'takes no answer without a comment' : 'takes no rejection without a comment'));
  if (deadline !== undefined) lines.push(`${colors.dim('until:')} ${localTime(deadline)}`);
  return lines;
}
