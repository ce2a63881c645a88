import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { PROGRAM, ROOT, sourcesIn } from './sources';

/** No file imports itself through others, not even by types: files that cannot be read one after another are one idea in two files. */
const IMPORTS = /(?:\bfrom |\bimport\(|\brequire\(|^import )'(\.[^']*)'/gm;

test('no file of the program imports itself by way of others', () => {
  const imports = sourcesIn([...PROGRAM, 'bench']).map(([file, text]) => [file, importsOf(file, text)] as const);
  expect(circlesIn(new Map(imports))).toEqual([]);
});

test('a circle is found, of types and of what is loaded late as well', () => {
  const circle = new Map([
    ['a.ts', ['b.ts']],
    ['b.ts', ['c.ts', 'd.ts']],
    ['c.ts', ['b.ts']],
    ['d.ts', []],
  ]);
  expect(circlesIn(circle)).toEqual([['b.ts', 'c.ts']]);
  const text = "import type { x } from './address';\nconst y = () => require('./upstream') as typeof import('./upstream');\n";
  expect(importsOf('plan/steps/x.ts', text)).toEqual(['plan/steps/address.ts', 'plan/steps/upstream.ts', 'plan/steps/upstream.ts']);
});

function importsOf(file: string, text: string): string[] {
  return [...text.matchAll(IMPORTS)].flatMap(([, specifier = '']) => {
    const path = posix.join(posix.dirname(file), specifier);
    return [`${path}.ts`, `${path}/index.ts`].filter((candidate) => existsSync(join(ROOT, candidate)));
  });
}

/** Groups of files that reach each other, each sorted by name (Tarjan's strongly connected components). */
function circlesIn(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const found: string[][] = [];
  const number = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const visit = (file: string): number => {
    const own = number.size;
    number.set(file, own);
    let lowest = own;
    stack.push(file);
    for (const next of graph.get(file) ?? []) {
      const reached = number.get(next);
      if (reached === undefined) lowest = Math.min(lowest, visit(next));
      else if (stack.includes(next)) lowest = Math.min(lowest, low.get(next) ?? reached);
    }
    low.set(file, lowest);
    if (lowest === own) {
      const group = stack.splice(stack.indexOf(file));
      if (group.length > 1) found.push(group.sort());
    }
    return lowest;
  };
  for (const file of graph.keys()) if (!number.has(file)) visit(file);
  return found;
}
