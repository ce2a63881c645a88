import type { Report } from '../diagnostics/diagnostic';
import type { ScalarNode } from '../read/node';
import { type SpanWithin, spansWithin } from '../read/offsets';
import { withLookalikes } from './lookalikes';
import { parseExpression } from './parser';
import type { Syntax, TemplateSyntax } from './syntax';

/** A whole value that is one reference in Lobster's spelling: `$structure`, `$plan.json.tasks[0]`. */
const WHOLE_REFERENCE = /^\$[A-Za-z_][A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]+|\[\d+\])*$/;

/** An expression that fills a scalar. `${…}` around the whole of it is allowed and means the same. */
export function readExpression(node: ScalarNode, report: Report): Syntax | undefined {
  if (node.faulty) return undefined;
  if (typeof node.value !== 'string') return { kind: 'literal', at: node.at, value: node.value };
  const spotOf = spansWithin(node);
  const wrapped = /^\s*\$\{(.*)\}\s*$/s.exec(node.text);
  const inner = wrapped?.[1];
  if (inner === undefined || inner.includes('${')) return parseExpression(node.text, spotOf, report);
  return parseExpression(inner, shifted(spotOf, node.text.indexOf('${') + 2), report);
}

/** Text with `${…}` in it; `$${` is a literal `${`. With `references`, a whole value `$step` is a reference. */
export function readTemplate(node: ScalarNode, report: Report, options: { references?: boolean } = {}): TemplateSyntax | undefined {
  if (node.faulty) return undefined;
  const { text } = node;
  const spotOf = spansWithin(node);
  if (options.references && typeof node.value === 'string' && WHOLE_REFERENCE.test(text)) {
    const reference = parseExpression(text, spotOf, report);
    return reference && [reference];
  }
  const pieces: TemplateSyntax = [];
  const add = (from: number, to: number): number => pieces.push(...withLookalikes(text.slice(from, to), from, text, spotOf));
  let faulty = false;
  let at = 0;
  for (let open = text.indexOf('${'); open >= 0; open = text.indexOf('${', at)) {
    if (text[open - 1] === '$' && open > at) {
      add(at, open - 1);
      pieces.push('${');
      at = open + 2;
      continue;
    }
    const close = endOfHole(text, open + 2);
    if (close === undefined) {
      const hint = 'close it with `}`, or write `$${` if you mean a literal `${`';
      report('expression.syntax', spotOf(open, open + 2), '`${` is never closed', hint);
      return undefined;
    }
    add(at, open);
    const hole = readHole(text.slice(open + 2, close), shifted(spotOf, open + 2), report);
    if (hole) pieces.push(hole);
    else faulty = true;
    at = close + 1;
  }
  if (faulty) return undefined;
  add(at, text.length);
  return pieces.length > 0 ? pieces : [''];
}

/** Reads what is within `${…}`, in a place that allows only an expression. */
function readHole(text: string, spotOf: SpanWithin, report: Report): Syntax | undefined {
  const advice = FOREIGN_HOLES.find(([pattern]) => pattern.test(text))?.[1];
  return parseExpression(text, spotOf, (code, at, message, hint) => report(code, at, message, advice ?? hint));
}

const FOREIGN_HOLES: readonly (readonly [RegExp, string])[] = [
  [/^\{/, `write one pair of braces: \`\${draft.title}\``],
  [/^(?:[!#]\w|\w+(?:\[[@*]|:?[-=+?]|[#%/^,]))/, 'in a command, write `$${` for the shell’s own `${`'],
];

/** The offset of the `}` that ends the expression begun at `from`; one inside quotes does not count. */
function endOfHole(text: string, from: number): number | undefined {
  let quote: string | undefined;
  for (let at = from; at < text.length; at++) {
    const char = text[at];
    if (quote !== undefined) {
      if (char === '\\') at++;
      else if (char === quote) quote = undefined;
    } else if (char === '"' || char === "'") quote = char;
    else if (char === '}') return at;
  }
  return undefined;
}

function shifted(spotOf: SpanWithin, by: number): SpanWithin {
  return (start, end) => spotOf(start + by, end + by);
}
