import { setSpelled } from '../../plan/text/spelled-json';
import type { Report } from '../diagnostics/diagnostic';
import type { TemplateSyntax } from '../expression/syntax';
import { readTemplate } from '../expression/template';
import { spelledOf } from '../read/json';
import type { Entry, SourceNode } from '../read/node';
import { wrongType } from './values';

/** Reads a text with `${…}`, or plain JSON as a literal. */
export function templateAt(entry: Entry, report: Report, references = false): TemplateSyntax | undefined {
  const { key, value } = entry;
  if (value.kind === 'scalar') {
    if (value.value === null && !references) return wrongType(value, key, 'text', report);
    if (references && typeof value.value !== 'string') return [literal(value)];
    return readTemplate(value, report, { references });
  }
  return wrongType(value, key, references ? 'text, a number or a reference such as $step' : 'text', report);
}

function literal(node: SourceNode): TemplateSyntax[number] & object {
  const syntax = { kind: 'literal' as const, at: node.at, value: null };
  setSpelled(syntax, 'value', spelledOf(node));
  return syntax;
}

/** Like `templateAt` with references, but lists and mappings stay as they are and are not searched. */
export function valueAt(entry: Entry, report: Report): TemplateSyntax | undefined {
  const { value, key } = entry;
  if (value.kind === 'scalar') return templateAt(entry, report, true);
  const inside = referenceWithin(value);
  if (!inside) return [literal(value)];
  report(
    'shape.wrong-type',
    inside.at,
    `"${key}" is ${value.kind === 'mapping' ? 'a mapping' : 'a list'}, in which references are not looked up`,
    'pass one whole reference such as $step.json.part, or let a step put the value together',
  );
  return undefined;
}

/** The first text in a value that would be a reference if it were the whole value. */
function referenceWithin(node: SourceNode): SourceNode | undefined {
  if (node.kind === 'scalar') return typeof node.value === 'string' && /^\$[A-Za-z_]|\$\{/.test(node.text) ? node : undefined;
  for (const child of node.kind === 'sequence' ? node.items : node.entries.map((entry) => entry.value)) {
    const found = referenceWithin(child);
    if (found) return found;
  }
  return undefined;
}
