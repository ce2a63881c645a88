import type { RunMemo } from '../../plan/contract';
import type { GateView } from '../../plan/gate';
import type { Colors } from '../terminal';
import { answerLines, type ServerPlace } from './answer';
import { manyLines, oneLine } from './printable';
import { clock } from './time';

/** What a gate asks, of whom, and about what. `paths` finds the shown outputs. */
export function renderGate(gate: GateView, colors: Colors, paths: (gate: GateView) => readonly string[]): string {
  const to = gate.channel === undefined ? '' : ` ${colors.dim(`in ${gate.channel}`)}`;
  const lines = [`${colors.yellow('?')} ${colors.bold(gate.step)} waits for a person${to}`];
  for (const line of manyLines(gate.question).split('\n')) lines.push(`  ${line}`);
  for (const path of paths(gate)) lines.push(`  ${colors.dim('shown:')} ${path}`);
  if (gate.approvers !== undefined && gate.approvers.length > 0) lines.push(`  ${colors.dim('may decide:')} ${gate.approvers.join(', ')}`);
  if (gate.deadline !== undefined) lines.push(`  ${colors.dim('until:')} ${clock(gate.deadline)}`);
  return `${lines.join('\n')}\n`;
}

/** The lines that answer a gate. */
export function renderAnswers(run: string, gate: RunMemo['gates'][number], onlyGate: boolean, server: ServerPlace, colors: Colors): string {
  const answers = answerLines(run, gate, onlyGate, server);
  const ours = answers.map((answer) => `  ${answer.thermidor}`);
  const first = answers[0];
  const theirs =
    first === undefined
      ? []
      : [
          colors.dim(server.embedded ? '  or, while `thermidor up` or another command keeps the server up:' : '  or:'),
          `  ${first.temporal}`,
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
): string {
  const head = `${colors.yellow('?')} ${colors.bold(run)}  ${gate.step}  ${colors.dim(`since ${clock(gate.openedAt)}`)}`;
  const question = oneLine(gate.question);
  return `${head}\n  ${question}\n${renderAnswers(run, gate, onlyGate, server, colors)}`;
}
