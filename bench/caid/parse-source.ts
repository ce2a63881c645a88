import { parseSync } from '@swc/core';

/** A function of a file. Offsets are of the file's text. */
export interface SourceFunction {
  /** The path to it, such as `Bl.push` or `Decoder.prototype.write`; unique in its file. */
  name: string;
  /** The range of its body: a block with its braces, or an arrow's expression. */
  from: number;
  to: number;
  isExpression: boolean;
  /** Functions in its body. */
  inner: SourceFunction[];
}

export interface ParsedSource {
  functions: SourceFunction[];
  /** The modules that it imports or requires, as written, anywhere in the file. */
  imports: string[];
}

type Syntax = Record<string, unknown>;
/**
 * The parser's offsets count bytes, and continue from earlier parses in the process: a statement ahead of the text shows where they begin.
 */
const AHEAD = ';';

export function parseSource(text: string): ParsedSource {
  const bytes = Buffer.from(text);
  const { body } = parseSync(AHEAD + text, { syntax: 'ecmascript', target: 'es2022' });
  const begin = body[0]?.span.end ?? 0;
  const isAscii = bytes.length === text.length;
  const offsetOf = (position: number): number => (isAscii ? position - begin : bytes.subarray(0, position - begin).toString().length);
  const names = new Map<string, number>();
  const imports: string[] = [];

  const unique = (name: string): string => {
    const count = (names.get(name) ?? 0) + 1;
    names.set(name, count);
    return count === 1 ? name : `${name}~${count}`;
  };
  const within = (node: unknown, scope: readonly string[]): SourceFunction[] => {
    if (Array.isArray(node)) return node.flatMap((one) => within(one, scope));
    if (!isSyntax(node)) return [];
    imports.push(...importsOf(node));
    const label = labelOf(node, (span) => text.slice(offsetOf(span.start), offsetOf(span.end)));
    const here = label === undefined ? scope : [...scope, label];
    const code = functionBody(node);
    if (code === undefined) return Object.values(node).flatMap((child) => within(child, here));
    const name = unique(here.join('.') || 'anonymous');
    const others = Object.entries(node).flatMap(([key, child]) => (key === 'body' ? [] : within(child, here)));
    const place = { from: offsetOf(code.span.start), to: offsetOf(code.span.end) };
    return [...others, { name, ...place, isExpression: code.isExpression, inner: within(code.node, here) }];
  };
  return { functions: within(body, []), imports };
}

function isSyntax(node: unknown): node is Syntax {
  return typeof node === 'object' && node !== null;
}

interface Span {
  start: number;
  end: number;
}

function isSpan(value: unknown): value is Span {
  return isSyntax(value) && typeof value['start'] === 'number' && typeof value['end'] === 'number';
}

/** Empty if the node is no function. Methods carry a node without a type, which has the body. */
function functionBody(node: Syntax): { node: Syntax; span: Span; isExpression: boolean } | undefined {
  const { type, body } = node;
  if (!isSyntax(body) || !isSpan(body['span'])) return undefined;
  const isBlock = body['type'] === 'FunctionBody' || (body['type'] === 'BlockStatement' && type === 'ArrowFunctionExpression');
  if (!isBlock && type !== 'ArrowFunctionExpression') return undefined;
  return { node: body, span: body['span'], isExpression: !isBlock };
}

function labelOf(node: Syntax, textOf: (span: Span) => string): string | undefined {
  if (node['type'] === 'AssignmentExpression') {
    const { left } = node;
    return isSyntax(left) && isSpan(left['span']) ? textOf(left['span']).replace(/[^\w$.]+/g, '_') : undefined;
  }
  const name = [node['identifier'], node['key'], node['type'] === 'VariableDeclarator' ? node['id'] : undefined].find(isSyntax);
  const value = name?.['value'];
  return typeof value === 'string' ? value.replace(/[^\w$.]+/g, '_') : undefined;
}

const SOURCES: ReadonlySet<unknown> = new Set(['ImportDeclaration', 'ExportNamedDeclaration', 'ExportAllDeclaration']);

function importsOf(node: Syntax): string[] {
  if (SOURCES.has(node['type'])) return literal(node['source']);
  if (node['type'] !== 'CallExpression') return [];
  const { callee, arguments: given } = node;
  if (!isSyntax(callee) || !Array.isArray(given)) return [];
  const isImport = callee['type'] === 'Import' || (callee['type'] === 'Identifier' && callee['value'] === 'require');
  const first: unknown = given[0];
  return isImport && isSyntax(first) ? literal(first['expression']) : [];
}

function literal(node: unknown): string[] {
  return isSyntax(node) && typeof node['value'] === 'string' ? [node['value']] : [];
}
