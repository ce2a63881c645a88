import { LocalSecrets } from '../../activities/adapters/secrets';
import { loadRun } from '../../activities/run/load-run';
import { inputScope } from '../../activities/run/template-scope';
import { type ExpressionScope, evaluate } from '../../plan/expressions/evaluate';
import type { Expr } from '../../plan/expressions/expression';
import type { Plan } from '../../plan/plan';
import type { Readable } from '../../plan/steps/step-activity';
import type { Json } from '../../plan/text/json';
import { failureOf, KEY, type Workshop, workshop } from './workshop';

async function scopeOf(shop: Workshop, readable: Readable, more: Partial<Plan> = {}, args?: Record<string, Json>) {
  await shop.open([], more, undefined, args);
  return await inputScope(shop.toolbox, await loadRun(shop.toolbox, KEY), readable);
}

function list(shop: Workshop, value: Json) {
  return shop.artifacts.put(JSON.stringify(value), { mediaType: 'application/json' });
}

const variable = (name: string, ...path: string[]): Expr => ({ kind: 'variable', name, path });

describe('a loop’s variables', () => {
  test('are the item and its index, under the names the loop gives', async () => {
    const shop = workshop();
    const at = { list: await list(shop, [{ id: 'a' }, { id: 'b' }]), index: 1, itemVar: 'ticket', indexVar: 'n' };
    const scope = await scopeOf(shop, { loops: [at] });
    expect([variable('ticket', 'id'), variable('n'), variable('item')].map((expr) => evaluate(expr, scope))).toEqual(['b', 1, null]);
  });

  test('of an inner loop hide those of an outer', async () => {
    const shop = workshop();
    const outer = { list: await list(shop, ['out']), index: 0, itemVar: 'item', indexVar: 'i' };
    const inner = { list: await list(shop, ['in', 'side']), index: 1, itemVar: 'item', indexVar: 'j' };
    const scope = await scopeOf(shop, { loops: [outer, inner] });
    expect([variable('item'), variable('i'), variable('j')].map((expr) => evaluate(expr, scope))).toEqual(['side', 0, 1]);
  });

  test('of a loop of rounds are the round and the outputs of the one before, null in the first', async () => {
    const shop = workshop();
    const last = { check: await list(shop, { score: 2 }), draft: await shop.artifacts.put('text', { mediaType: 'text/plain' }) };
    const names = { roundVar: 'round', lastVar: 'before' };
    const ask = [variable('round'), variable('before', 'check', 'score'), variable('before', 'draft'), variable('before', 'gone')];
    const second = await scopeOf(shop, { loops: [{ index: 2, ...names, last }] });
    expect(ask.map((expr) => evaluate(expr, second))).toEqual([2, 2, 'text', null]);
    const first = await scopeOf(workshop(), { loops: [{ index: 1, ...names }] });
    expect([...ask, variable('before')].map((expr) => evaluate(expr, first))).toEqual([1, null, null, null, null]);
  });

  test('of ten thousand iterations read their list once', async () => {
    const shop = workshop();
    const items = Array.from({ length: 10_000 }, (_, n) => ({ n, pad: 'x'.repeat(80) }));
    const ref = await list(shop, items);
    await shop.open([]);
    const run = await loadRun(shop.toolbox, KEY);
    const get = jest.spyOn(shop.toolbox.artifacts, 'get');
    const parse = jest.spyOn(JSON, 'parse');
    let sum = 0;
    for (let index = 0; index < items.length; index++) {
      const loops = [{ list: ref, index, itemVar: 'item', indexVar: 'index' }];
      sum += Number(evaluate(variable('item', 'n'), await inputScope(shop.toolbox, run, { loops })));
    }
    const parsed = parse.mock.calls.length;
    parse.mockRestore();
    expect([sum, get.mock.calls.length, parsed]).toEqual([(10_000 * 9_999) / 2, 1, 1]);
  });
});

describe('how the run ended', () => {
  const fields = (scope: ExpressionScope) =>
    (['state', 'error', 'failed_step'] as const).map((field): Json => evaluate({ kind: 'run', field }, scope));

  test('is what `finally` is given of it', async () => {
    const end = { state: 'failed', error: 'command.failed: exit 1', failedStep: 'pay' } as const;
    expect(fields(await scopeOf(workshop(), { end }))).toEqual(['failed', 'command.failed: exit 1', 'pay']);
    expect(fields(await scopeOf(workshop(), { end: { state: 'completed' } }))).toEqual(['completed', null, null]);
  });
});

describe('text that is not JSON', () => {
  test.each([
    [undefined, 'plain\n'],
    ['lobster' as const, null],
  ])('is an output in the dialect %s: %j', async (dialect, value) => {
    const shop = workshop();
    const a = await shop.artifacts.put('plain\n', { mediaType: 'text/plain' });
    const scope = await scopeOf(shop, { inputs: { a } }, dialect ? { dialect } : {});
    expect(evaluate({ kind: 'output', step: 'a', path: [] }, scope)).toEqual(value);
    expect(evaluate({ kind: 'record', step: 'a', field: 'stdout', path: [] }, scope)).toBe('plain\n');
  });
});

describe('a pipe’s text', () => {
  test('is read if it is another than its JSON', async () => {
    const shop = workshop();
    const { sha256 } = await shop.artifacts.put('| a |\n', { mediaType: 'text/plain' });
    const a = { ...(await list(shop, [1])), stdout: sha256 };
    const scope = await scopeOf(shop, { inputs: { a } });
    expect(evaluate({ kind: 'record', step: 'a', field: 'stdout', path: [] }, scope)).toBe('| a |\n');
    expect(evaluate({ kind: 'output', step: 'a', path: [] }, scope)).toEqual([1]);
  });
});

const secretArgs = { args: { key: { secret: true as const }, other: { secret: true as const }, open: {} } };

describe('a secret arg', () => {
  const given = { key: 'secret://env/KEY', other: 'secret://env/NOWHERE', open: 'secret://env/KEY' };
  const shopWith = (key: string) => workshop({ secrets: new LocalSecrets({ KEY: key }) });
  const arg = (name: string): Expr => ({ kind: 'arg', name, path: [] });

  test('is what its reference leads to; an arg that is not secret is never followed', async () => {
    const scope = await scopeOf(shopWith('hush-hush'), {}, secretArgs, given);
    expect(evaluate(arg('key'), scope)).toBe('hush-hush');
    expect(evaluate(arg('open'), scope)).toBe('secret://env/KEY');
  });

  test('that leads nowhere fails who reads it, and nobody else', async () => {
    const scope = await scopeOf(shopWith('hush-hush'), {}, secretArgs, given);
    const failure = await failureOf((async () => evaluate(arg('other'), scope))());
    expect(failure.code).toBe('secret.missing');
  });

  test('is shown as its reference where people and other runs read', async () => {
    const shop = shopWith('hush-hush');
    await shop.open([], secretArgs, undefined, given);
    const scope = await inputScope(shop.toolbox, await loadRun(shop.toolbox, KEY), {}, 'people');
    expect(evaluate(arg('key'), scope)).toBe('secret://env/KEY');
  });

  test('is masked whole, line by line and as JSON writes it; a digest stays', async () => {
    const { secrets } = await scopeOf(shopWith('first line\nsecond "line"'), {}, secretArgs, given);
    expect(secrets.mask('a second "line" b')).toBe('a *** b');
    expect(secrets.mask(JSON.stringify({ at: 'first line\nsecond "line"' }))).toBe('{"at":"***"}');
    const digest = 'cafe'.repeat(16);
    const { secrets: short } = await scopeOf(shopWith('cafe'), {}, secretArgs, given);
    expect(short.maskJson([{ cafe: ['x cafe'] }, digest, 7])).toEqual([{ '***': ['x ***'] }, digest, 7]);
  });
});
