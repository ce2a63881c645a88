import { load } from 'js-yaml';
import { compilePipeline, type Sources } from '../../compiler';
import type { Json } from '../../plan/text/json';
import { type Block, blocksOfPage, placeOf } from './block';
import { kindOf, type Need } from './block-kind';
import { PAGES } from './page';

/**
 * Steps without their pipeline: they compile with what the page says that they need, and not with less. The file `child.yaml` is a pipeline
 * with the arg `title`; a step that is needed outputs whatever is read from it.
 */
const steps = PAGES.flatMap(blocksOfPage).flatMap((block) => {
  const kind = kindOf(block);
  return kind?.kind === 'steps' ? [{ block, needs: kind.needs }] : [];
});

const CHILD = 'name: child\nargs: { title: }\nsteps:\n  - { id: hello, run: "echo hello" }\n';

function surroundings(needs: readonly Need[]): { file: { [key: string]: Json }; sources: Sources } {
  const named = (what: Need['what']) => needs.filter((need) => need.what === what).map(({ name }) => name);
  const files = new Map([
    ...named('agent').map((name) => [`agents/${name}.yaml`, 'role: Works.\ntools: [read_file]\n'] as const),
    ...named('file').map((name) => [name, name.endsWith('.schema.json') ? '{"type": "object"}' : CHILD] as const),
  ]);
  const args = named('arg').map((name) => [name, { default: 'BTC' }] as const);
  const before = named('step').map((id) => ({ id, run: 'echo {}' }));
  return {
    file: { name: 'example', ...(args.length > 0 ? { args: Object.fromEntries(args) } : {}), steps: before },
    sources: { read: (path) => files.get(path), list: () => [] },
  };
}

function errorsAmong({ text }: Block, needs: readonly Need[]): string[] {
  const { file, sources } = surroundings(needs);
  const whole = { ...file, steps: [...(file['steps'] as Json[]), ...(load(text) as Json[])] };
  const { diagnostics } = compilePipeline('example.json', JSON.stringify(whole), sources);
  return diagnostics.map(({ code, message }) => `${code} ${message}`);
}

test.each(steps.map((one) => [placeOf(one.block), one] as const))(
  '%s: they compile among what they say that they need',
  (_, { block, needs }) => {
    expect(errorsAmong(block, needs)).toEqual([]);
  },
);

test('they name nothing that they do not need', () => {
  const idle = steps.flatMap(({ block, needs }) =>
    needs
      .filter(
        (need) =>
          errorsAmong(
            block,
            needs.filter((other) => other !== need),
          ).length === 0,
      )
      .map(({ what, name }) => `${placeOf(block)} ${what} ${name}`),
  );
  expect(idle).toEqual([]);
  expect(steps.length).toBeGreaterThan(20);
});
