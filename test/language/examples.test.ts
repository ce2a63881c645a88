import { load } from 'js-yaml';
import { ACTIONS, ACTIONS_OF, type ActionKey } from '../../compiler/language/actions';
import { FILE_ROWS } from '../../compiler/language/file';
import { FUNCTION_ROWS } from '../../compiler/language/functions';
import { BODIES, kindRow, WRITTEN_KINDS } from '../../compiler/language/kinds';
import { MAPPING_NAMES, mappingRows } from '../../compiler/language/mappings';
import { RESERVED_KEYS } from '../../compiler/language/reserved-keys';
import type { KeyRow } from '../../compiler/language/row';
import { EVERY_STEP_ROWS } from '../../compiler/language/step';
import { STATE_FUNCTIONS, VALUE_FUNCTIONS } from '../../plan/expressions/functions';
import type { Json, JsonObject } from '../../plan/text/json';
import { COMMAND, fileWith, inBody, inMapping, stepWith, TRACKS, withSteps } from './places';
import { errorsOf, exampleValue } from './world';

const named = <T extends KeyRow>(rows: readonly T[]): [string, T][] => rows.map((row) => [row.key, row]);

describe('the example of each key compiles in its place', () => {
  it.each(named<KeyRow>(FILE_ROWS))('file: %s', (_, row) => {
    expect(errorsOf(fileWith({ [row.key]: exampleValue(row.example) }))).toEqual([]);
  });

  it.each(named<KeyRow>(EVERY_STEP_ROWS))('every step: %s', (_, row) => {
    expect(errorsOf(stepWith('agent', row, exampleValue(row.example)))).toEqual([]);
  });

  const ofKinds = WRITTEN_KINDS.flatMap((kind) => kindRow(kind).rows.map((row) => [kind, row.key, row] as const));
  it.each(ofKinds)('%s: %s', (kind, _, row) => {
    expect(errorsOf(stepWith(kind, row, exampleValue(row.example)))).toEqual([]);
  });

  const ofMappings = MAPPING_NAMES.flatMap((name) => mappingRows(name).map((row) => [name, row.key, row] as const));
  it.each(ofMappings)('%s: %s', (name, _, row) => {
    expect(errorsOf(inMapping(name, row, exampleValue(row.example)))).toEqual([]);
  });

  const ofBodies = BODIES.flatMap(({ kind, rows }) => rows.map((row) => [kind, row.key, row] as const));
  it.each(ofBodies)('%s, in a mapping of its own: %s', (kind, _, row) => {
    expect(errorsOf(inBody(kind, row, exampleValue(row.example)))).toEqual([]);
  });

  it.each(WRITTEN_KINDS)('a whole step: %s', (kind) => {
    expect(errorsOf(withSteps(load(kindRow(kind).example) as Json[]))).toEqual([]);
  });
});

describe('other spellings', () => {
  const ofEveryStep = EVERY_STEP_ROWS.map((row: KeyRow) => ['agent', row] as const);
  const ofKinds = WRITTEN_KINDS.flatMap((kind) => kindRow(kind).rows.map((row) => [kind, row] as const));
  const aliased = [...ofEveryStep, ...ofKinds].flatMap(([kind, row]) => (row.aliases ?? []).map((alias) => [kind, alias, row] as const));
  it.each(aliased)('%s: %s is read like the key itself', (kind, alias, row) => {
    expect(errorsOf(stepWith(kind, row, exampleValue(row.example), alias))).toEqual([]);
  });
});

/** The step that `swarm(mob)` calls. */
const MOB = { id: 'mob', type: 'swarm', issue: 'It is red.', agents: { writer: 'tests' }, verify: 'npm test' };

describe('actions', () => {
  const written = (Object.keys(ACTIONS_OF) as ActionKey[]).flatMap((key) =>
    ACTIONS_OF[key].flatMap((name) => ACTIONS[name].written.map((text) => [key, text] as const)),
  );
  const hosts: Readonly<Record<Exclude<ActionKey, 'on_exhausted'>, JsonObject>> = {
    on_error: COMMAND,
    on_invalid: { id: 'it', agent: 'writer' },
    on_block: { id: 'it', type: 'review', agent: 'editor' },
    on_stall: { id: 'it', type: 'review', agent: 'editor', on_revise: 'retry(draft)' },
    on_unfixable: { id: 'it', type: 'review', agent: 'editor' },
    on_revise: { id: 'it', type: 'review', agent: 'editor' },
    on_fail: { id: 'it', type: 'consensus', proposal: 'Shall we?', voters: ['writer', 'editor'], revise_by: 'writer' },
    on_blocked: { id: 'it', ...TRACKS },
    on_misaligned: { id: 'it', ...TRACKS },
    on_root_cause: { id: 'it', type: 'escalate', issue: '$draft.error', levels: ['writer'] },
    on_conflict: { id: 'it', type: 'merge', from: ['draft'], into: 'main' },
    on_reject: { id: 'it', type: 'approval' },
  };
  it.each(written)('%s takes %s', (key, text) => {
    const value = exampleValue(text);
    const file = key === 'on_exhausted' ? inBody('repeat', { key }, value) : withSteps([{ ...hosts[key], [key]: value }]);
    expect(errorsOf({ ...file, steps: [...(file['steps'] as Json[]), MOB] })).toEqual([]);
  });
});

describe('functions', () => {
  it.each(FUNCTION_ROWS.map((row) => [row.name, row] as const))('the example of %s compiles', (_, row) => {
    expect(errorsOf(withSteps([{ ...COMMAND, when: row.example }]))).toEqual([]);
  });

  it('each that the language has is there', () => {
    expect(FUNCTION_ROWS.map((row) => row.name)).toEqual([...STATE_FUNCTIONS, ...VALUE_FUNCTIONS.map((f) => f.name)]);
  });
});

describe('what belongs to a later version', () => {
  const refused = (errors: string[]): void => expect(errors.join('\n')).toContain('language.unsupported');
  it.each([...RESERVED_KEYS.fileKeys])('the key %s of a file is answered with language.unsupported', (key) => {
    refused(errorsOf(fileWith({ [key]: true })));
  });
  it.each([...RESERVED_KEYS.kindKeys])('the key %s, which tells a kind', (key) => refused(errorsOf(withSteps([{ id: 'it', [key]: 'x' }]))));
  it.each([...RESERVED_KEYS.agentKeys])('the key %s of an agent', (key) => {
    refused(errorsOf(withSteps([{ id: 'a', agent: 'it' }], { agents: { it: { role: 'Works.', [key]: 'x' } } })));
  });
});
