import { field, type Json } from '../../plan/text/json';
import type { Terminal } from '../terminal';
import { manyLines, oneLine } from './text/printable';

/** One line of a transcript for a person; empty for lines that only keep order. */
export function renderTranscriptLine(line: Json, colors: Terminal['colors']): string {
  const system = field(line, 'system');
  if (typeof system === 'string') return `${colors.bold('system')}\n${manyLines(system)}\n`;
  const turn = field(line, 'turn');
  if (turn === undefined) return '';
  const said = textOf(turn, 'text');
  const calls = field(turn, 'calls');
  const made = (Array.isArray(calls) ? calls : []).map(
    (call) => `calls ${textOf(call, 'tool')} ${JSON.stringify(field(call, 'args') ?? null)}`,
  );
  const body = [...(said === '' ? [] : [manyLines(said)]), ...made.map(oneLine)];
  return `${headOf(turn, colors)} ${colors.dim(`request ${field(line, 'ask') ?? ''}`)}\n${body.map((part) => `${part}\n`).join('')}`;
}

function headOf(turn: Json, colors: Terminal['colors']): string {
  const tool = oneLine(textOf(field(turn, 'call'), 'tool'));
  const remark = field(turn, 'refused') === true ? 'refused' : oneLine(textOf(turn, 'stop'));
  return [colors.bold(textOf(turn, 'role')), tool, remark && `(${remark})`].filter((part) => part !== '').join(' ');
}

function textOf(value: Json | undefined, key: string): string {
  const found = field(value, key);
  return typeof found === 'string' ? found : '';
}
