import { ARTIFACT_LIMIT_BYTES } from '../../../plan/run/artifact';
import { ThermidorFailure } from '../../../plan/run/failure';
import { asLine, type Item, isItemObject } from './item';

/** How many items say which columns there are. */
const SAMPLE = 20;
const NARROWEST = 3;

/** `table`: objects as columns under a heading, anything else one to a line. */
export function table(items: readonly Item[]): string {
  if (items.length === 0) return '(no results)\n';
  const sample = items.slice(0, SAMPLE);
  if (!sample.every(isItemObject)) return items.map((item) => `${cell(item)}\n`).join('');
  const columns = [...new Set(sample.flatMap((item) => Object.keys(item)))];
  requireRoom(items.length * columns.length * NARROWEST);
  const rows = items.map((item) => columns.map((column) => oneLine(cell(isItemObject(item) ? field(item, column) : undefined))));
  const heading = columns.map(oneLine);
  const widths = columns.map((_, i) =>
    rows.reduce((width, row) => Math.max(width, row[i]?.length ?? 0), Math.max(NARROWEST, heading[i]?.length ?? 0)),
  );
  requireRoom(items.length * widths.reduce((sum, width) => sum + width, 0));
  const line = (cells: readonly string[]) => `${cells.map((text, i) => text.padEnd(widths[i] ?? 0)).join('  ')}\n`;
  const rule = widths.map((width) => '-'.repeat(width));
  return [heading, rule, ...rows].map(line).join('');
}

/** Few items with many fields, or one long cell, make a table far larger than they are. */
function requireRoom(characters: number): void {
  if (characters <= ARTIFACT_LIMIT_BYTES) return;
  throw new ThermidorFailure(
    'output.too-large',
    `table: it would have more than ${ARTIFACT_LIMIT_BYTES} characters; \`pick\` fewer fields`,
  );
}

function field(item: Readonly<Record<string, Item>>, column: string): Item {
  return Object.hasOwn(item, column) ? item[column] : undefined;
}

function cell(value: Item): string {
  return value === undefined || value === null ? '' : asLine(value);
}

function oneLine(text: string): string {
  return text.replaceAll('\n', ' ');
}
