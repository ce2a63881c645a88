import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { ROOT, sourcesIn } from './sources';

/**
 * A worker loads `workflows/interpreter/` and what it imports once, for all its runs (`scripts/build.mjs`): if one of these modules kept
 * state in a variable, a run would read the state of another run, and no replay would find that. A `WeakMap` is allowed if its values
 * follow from the key alone, like the order of a block (`plan/steps/order.ts`): they are the same for each run that has the key, and are
 * collected with it.
 */
const ROOMS = ['workflows/interpreter', 'plan', 'kinds'];

/** State at the top level of a module: variables, collections that begin empty, and patterns that remember their position. */
const CHANGES = [
  /^(?:export )?(?:let|var) /,
  /^(?:export )?const [^=]+ = new (?:Map|Set)(?:<[^=]*>)?\(\);?$/,
  /^(?:export )?const [^=]+ = (?:\[\]|\{\});?$/,
  /^(?:export )?const [^=]+ = \/.+\/[a-z]*[gy][a-z]*;?$/,
];

function changing(source: string): string[] {
  return source.split('\n').filter((line) => !/: (?:readonly |Readonly<)/.test(line) && CHANGES.some((change) => change.test(line)));
}

test('no module that runs share keeps anything of a run', () => {
  const sources = sourcesIn(ROOMS);
  expect(sources.length).toBeGreaterThan(300);
  expect(sources.flatMap(([file, text]) => changing(text).map((line) => `${file}: ${line}`))).toEqual([]);
});

test('what a run loads for itself is the binding to Temporal, and what writes its payloads', () => {
  const [, names = ''] = /^const SHARED = \[(.*?)\]/m.exec(readFileSync(join(ROOT, 'scripts/build.mjs'), 'utf8')) ?? [];
  const shared = loadedWith([...names.matchAll(/'([^']+)\.js'/g)].map(([, name]) => `workflows/${name}.ts`));
  const bound = readdirSync(join(ROOT, 'workflows/temporal')).map((name) => `workflows/temporal/${name}`);
  const own = [...loadedWith(bound)].filter((file) => !shared.has(file) && !bound.includes(file));
  expect(own.sort()).toEqual(['plan/run/call-seal.ts', 'plan/run/json-payload.ts', 'plan/run/open-messages.ts', 'plan/text/json-depth.ts']);
});

/** These files, and all that they load in turn. */
function loadedWith(files: readonly string[]): Set<string> {
  const loaded = new Set(files);
  for (const file of loaded) {
    for (const [, names = '', name = ''] of readFileSync(join(ROOT, file), 'utf8').matchAll(
      /^(?:import|export) (?!type )(.*?) from '(\.[^']+)'/gms,
    )) {
      if (!/^\{(?:\s*type [^,}]+,?)+\s*\}$/.test(names)) loaded.add(`${posix.join(posix.dirname(file), name)}.ts`);
    }
  }
  return loaded;
}

test.each(['let next = 0;', 'export const seen = new Map<string, number>();', 'const late: string[] = [];', 'const WORD = /a+/gu;'])(
  'would find %s',
  (line) => {
    expect(changing(line)).toEqual([line]);
  },
);
