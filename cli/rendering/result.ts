import { jsonText } from '../../plan/text/json-text';
import { beginning } from '../../plan/text/shortened';
import type { Spelled } from '../../plan/text/spelled-json';
import type { Colors } from '../terminal';
import { manyLines } from './text/printable';

const LINES = 20;
const CHARACTERS = 2000;

/** The output of a run. */
export interface RenderedResult {
  value: Spelled;
  /** The command that shows all of it. */
  whole: string;
}

/** Text unchanged, everything else as indented JSON; a long result is cut, with the command that shows the rest. */
export function renderResult({ value, whole }: RenderedResult, colors: Colors): string {
  const text = textOf(value);
  const shown = beginning(text, CHARACTERS).split('\n').slice(0, LINES).join('\n');
  const rest = shown.length < text.length ? `${colors.dim('… the rest:')} ${whole}\n` : '';
  return `${colors.dim('result')}\n${shown}\n${rest}`;
}

export function isShort({ value }: RenderedResult): boolean {
  const text = textOf(value);
  return text.length <= CHARACTERS && text.split('\n').length <= LINES;
}

function textOf(value: Spelled): string {
  return manyLines(typeof value === 'string' ? value : jsonText(value, { step: '  ' })).trimEnd();
}
