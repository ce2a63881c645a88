import { FAILURES } from '../../plan/run/failure';
import { itemsOf, readPage } from './page';

const TRIED_AGAIN: Readonly<Record<(typeof FAILURES)[keyof typeof FAILURES]['retried'], string>> = {
  temporal: 'Temporal, within the try',
  respawn: 'a fresh agent, `retries_per_step`',
  once: 'once, by itself',
  never: '',
};

describe('docs/failures.md', () => {
  const page = readPage('docs/failures.md');

  it('begins with symptoms, each with where to read on', () => {
    const [, first = ''] = page.split(/^## /m);
    expect(first).toMatch(/^What do you see\?$/m);
    const symptoms = itemsOf(first);
    expect(symptoms.length).toBeGreaterThanOrEqual(12);
    expect(symptoms.filter((item) => !/ See .+\]\([^)]+\)\.$/.test(item))).toEqual([]);
  });

  const [, list = ''] = page.split('## Every code');
  const codes = itemsOf(list).map((item) => {
    const [, code = '', doc = '', again = '', todo = ''] =
      /^\*\*`(.+?)`\*\*: (.+?)\.(?: Tried again: (.+?)\.)? To do: (.+)$/.exec(item) ?? [];
    return { code, doc, again, todo };
  });

  it('has each code in order, with what it is and who tries again', () => {
    expect(codes.map(({ code, doc, again }) => ({ code, doc, again }))).toEqual(
      Object.entries(FAILURES).map(([code, { doc, retried }]) => ({ code, doc, again: TRIED_AGAIN[retried] })),
    );
  });

  it('says of each what to do', () => {
    expect(codes.filter(({ todo }) => !todo).map(({ code }) => code)).toEqual([]);
  });

  it('names no other code anywhere', () => {
    const families = new Set(Object.keys(FAILURES).map((code) => code.split('.')[0]));
    const named = [...page.matchAll(/`([a-z]+)\.([a-z]+(?:-[a-z]+)*)`/g)].filter(([, family = '']) => families.has(family));
    const all = named.map(([, family, rest]) => `${family}.${rest}`);
    expect(all.length).toBeGreaterThan(codes.length);
    expect(all.filter((code) => !Object.hasOwn(FAILURES, code))).toEqual([]);
  });
});
