import { type AskedKind, HAND_OFF_ROWS, type HandOff, type Row, type Rows, type Shape } from '../../../plan/brief/hand-off';
import type { Json } from '../../../plan/text/json';
import { jsonText } from '../../../plan/text/json-text';

/** Markdown for agents and people. */

/** Sections with a heading; those without a text are left out. */
export function sections(parts: readonly (readonly [heading: string, text: string | undefined])[]): string {
  return parts.flatMap(([heading, text]) => (text === undefined || text === '' ? [] : [`# ${heading}\n\n${text.trim()}`])).join('\n\n');
}

export function bullets(entries: readonly string[]): string {
  return entries.map((entry) => `- ${entry.replaceAll('\n', '\n  ')}`).join('\n');
}

/** A value within a fence that nothing in it can close: its line breaks are escaped. */
export function fenced(value: Json): string {
  return `\`\`\`json\n${jsonText(value)}\n\`\`\``;
}

export function subTaskText({ title, instruction, acceptance_criteria, role }: SubTaskOf): string {
  return [`**${title}**${role === undefined ? '' : ` (${role})`}`, instruction, `Criteria:\n\n${bullets(acceptance_criteria)}`].join(
    '\n\n',
  );
}

type SubTaskOf = Extract<HandOff, { kind: 'plan' }>['subtasks'][number];

/** How a reply has to end: `kind`, or an escalation. */
export function answerForm(kind: AskedKind): string {
  return [
    'End your reply with one fenced block of JSON, and write nothing behind it:',
    `\`\`\`json\n${outline({ kind, ...fieldsOf(HAND_OFF_ROWS[kind]) })}\n\`\`\``,
    describe(HAND_OFF_ROWS[kind]),
    'If a person has to decide before you can do that, end it with this instead:',
    `\`\`\`json\n${outline({ kind: 'escalation', ...fieldsOf(HAND_OFF_ROWS.escalation) })}\n\`\`\``,
    describe(HAND_OFF_ROWS.escalation),
  ].join('\n\n');
}

function fieldsOf(rows: Rows): Record<string, Json> {
  return Object.fromEntries(Object.entries(rows).map(([name, { shape }]) => [name, exampleOf(shape)]));
}

function exampleOf(shape: Shape): Json {
  switch (shape.is) {
    case 'text':
    case 'line':
      return '…';
    case 'number':
      return 1;
    case 'word':
      return shape.words.join(' | ');
    case 'list':
      return [exampleOf(shape.of)];
    case 'object':
      return fieldsOf(shape.rows);
  }
}

function outline(value: Json): string {
  return JSON.stringify(value, undefined, 2);
}

function describe(rows: Rows): string {
  return bullets(Object.entries(rows).flatMap(([name, row]) => lines(name, row)));
}

function lines(name: string, { shape, doc, optional }: Row): string[] {
  const own = `\`${name}\`${optional ? ' (may be left out)' : ''}: ${doc}`;
  const inner = shape.is === 'list' && shape.of.is === 'object' ? shape.of.rows : {};
  return [own, ...Object.entries(inner).flatMap(([field, row]) => lines(`${name}[].${field}`, row))];
}
