import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DIAGNOSTICS, type DiagnosticCode } from '../../compiler';
import { CASES, describe as describeAll, goldenCases, runCase, textOfCase } from './golden-case';

const cases = goldenCases();
const update = process.env['UPDATE'] === '1';

describe('golden cases', () => {
  it.each(cases.map((one) => [one.name, one] as const))('%s', (name, one) => {
    const { plan, diagnostics } = runCase(one);
    const expected = new Map(one.sections);
    expected.set('expect', describeAll(diagnostics, /^file: (.+)$/m.exec(one.sections.get('options') ?? '')?.[1]));
    if (one.sections.has('plan')) expected.set('plan', `${JSON.stringify(plan ?? null, null, 2)}\n`);
    if (update) writeFileSync(join(CASES, name), textOfCase(expected));
    else expect(textOfCase(one.sections)).toBe(textOfCase(expected));
  });

  it.each(Object.keys(DIAGNOSTICS) as DiagnosticCode[])('%s has a case of its name that brings it up', (code) => {
    const named = cases.filter(({ name }) => name === `${code}.case` || name.startsWith(`${code}-`));
    expect(named).not.toHaveLength(0);
    for (const { sections } of named) expect(sections.get('expect')).toContain(`${code}@`);
  });

  it('says something about every case that is not called valid, and nothing about those that are', () => {
    for (const { name, sections } of cases) expect([name, sections.get('expect') === '']).toEqual([name, name.startsWith('valid')]);
  });
});
