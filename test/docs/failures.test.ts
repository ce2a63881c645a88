import { FAILURES } from '../../plan/run/failure';
import { readPage } from './page';

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
    const rows = first.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| what you see'));
    expect(rows.length).toBeGreaterThanOrEqual(12);
    expect(rows.filter((row) => !/\]\([^)]+\) \|$/.test(row))).toEqual([]);
  });

  const [, table = ''] = page.split('## Every code');
  const rows = [...table.matchAll(/^\| `([^`]+)` \|(.*)\|$/gm)].map(([, code = '', rest = '']) => {
    const [doc, again, todo] = rest.split(' | ').map((cell) => cell.trim());
    return { code, doc, again, todo };
  });

  it('has each code in order, with what it is and who tries again', () => {
    expect(rows.map(({ code, doc, again }) => ({ code, doc, again }))).toEqual(
      Object.entries(FAILURES).map(([code, { doc, retried }]) => ({ code, doc, again: TRIED_AGAIN[retried] })),
    );
  });

  it('says of each what to do', () => {
    expect(rows.filter(({ todo }) => !todo).map(({ code }) => code)).toEqual([]);
  });

  it('names no other code anywhere', () => {
    const families = new Set(Object.keys(FAILURES).map((code) => code.split('.')[0]));
    const named = [...page.matchAll(/`([a-z]+)\.([a-z]+(?:-[a-z]+)*)`/g)].filter(([, family = '']) => families.has(family));
    const codes = named.map(([, family, rest]) => `${family}.${rest}`);
    expect(codes.length).toBeGreaterThan(rows.length);
    expect(codes.filter((code) => !Object.hasOwn(FAILURES, code))).toEqual([]);
  });
});
