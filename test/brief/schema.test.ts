import { Ajv } from 'ajv';
import { load } from 'js-yaml';
import { briefSchema, roleSchema } from '../../compiler/language/json-schema';
import { BRIEF_HEAD_ROWS } from '../../compiler/language/mappings/brief';
import { ROLE_ROWS } from '../../compiler/language/mappings/brief-roles';
import { filesOf, goldenCases } from '../compiler/golden-case';

const ajv = new Ajv({ strict: true, allowUnionTypes: true, strictTypes: false, strictRequired: false, allErrors: true });
const fitsBrief = ajv.compile(briefSchema());
const fitsRole = ajv.compile(roleSchema());

/** The front matter of a brief's file. */
function headOf(text: string): unknown {
  return load(/^---\n([\s\S]*?)\n---\n/.exec(text)?.[1] ?? '');
}

const briefs = goldenCases().filter((one) => filesOf(one).file.endsWith('.md'));

it.each(briefs.map((one) => [one.name, one] as const))('takes the front matter of %s, unless one of its keys is wrong', (_, one) => {
  const { file, files } = filesOf(one);
  const wrong = /^shape\./m.test(one.sections.get('expect') ?? '');
  expect(fitsBrief(headOf(files.get(file) ?? ''))).toBe(!wrong);
});

it.each(BRIEF_HEAD_ROWS.map((row) => [row.key, row.example] as const))('takes the example of %s', (key, example) => {
  expect(fitsBrief({ project: 'site', [key]: load(example) })).toBe(true);
});

it.each(ROLE_ROWS.map((row) => [row.key, row.example] as const))('takes the example of %s in a role', (key, example) => {
  expect(fitsRole({ description: 'x', prompt_overlay: 'y', [key]: load(example) })).toBe(true);
});

it.each([
  '{}',
  '{project: site, modes: auto}',
  '{project: site, mode: automatic}',
  '{project: site, budgets: {max_tokens: 0}}',
  '{project: site, budgets: {max_token: 1}}',
  '{project: site, roles: {planner: {adapters: x}}}',
])('refuses %s', (head) => {
  expect(fitsBrief(load(head))).toBe(false);
});

it('takes what openwar has and a warning tells of, and keys without a value', () => {
  expect(fitsBrief(load('{project: site, inherit_memory: true, cli: {binary: claude, args: [x]}, roles: , deadline: }'))).toBe(true);
  expect(fitsRole({ description: 'x' })).toBe(false);
});
