import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Scripts use the built code, and no compiler checks them. */
const ROOT = join(__dirname, '../..');
const SCRIPTS = readdirSync(join(ROOT, 'scripts'), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.mjs'));

const used = SCRIPTS.flatMap((script) => {
  const text = readFileSync(join(ROOT, 'scripts', script), 'utf8');
  return [...text.matchAll(/const \{([^}]+)\} = require\('[./]+\/dist\/([^']+)\.js'\)/g)].flatMap(([, names = '', path = '']) =>
    names.split(',').map((name) => ({ script, path, name: name.trim() })),
  );
});

it('finds what scripts use', () => {
  expect(used).toContainEqual({ script: 'histories/stage.mjs', path: 'worker/worker', name: 'startWorker' });
});

it.each(used)('$script: $path exports $name', ({ path, name }) => {
  const source = readFileSync(join(ROOT, `${path}.ts`), 'utf8');
  expect(source).toMatch(new RegExp(`export (async )?(function|const|class) ${name}\\b`));
});
