import { load } from 'js-yaml';
import { compilePipeline, type Diagnostic } from '../../compiler';
import { type ForeignRow, SYSTEMS } from '../../compiler/language/foreign-row';
import { foreignWordHint, hintOfRow } from '../../compiler/language/foreign-word-hint';
import { FOREIGN_WORDS, type ForeignPlace } from '../../compiler/language/foreign-words';
import { TELLING_KEYS } from '../../compiler/shape/vocabulary';
import type { Json, JsonObject } from '../../plan/text/json';
import { DRAFT, errorsOf, exampleValue, FILE, SOURCES } from './world';

/** A file with the given keys. */
const file = (keys: JsonObject): JsonObject => ({ ...FILE, args: ARGS, steps: [DRAFT, HELLO], ...keys });
const ARGS: JsonObject = { ticker: { type: 'string', default: 'BTC' }, token: { secret: true } };
const HELLO: JsonObject = { id: 'hello', run: 'echo hello' };
const step = (keys: JsonObject): JsonObject => file({ steps: [DRAFT, { ...keys, id: keys['id'] ?? 'x' }] });
const told: readonly string[] = ['type', ...TELLING_KEYS.map(([key]) => key)];

/** A step with the given keys. If they do not tell its kind, it runs a command. */
function wholeStep(keys: JsonObject): JsonObject {
  const run: JsonObject = Object.keys(keys).some((key) => told.includes(key)) ? {} : { run: 'true' };
  const steps: JsonObject = 'for_each' in keys && !('steps' in keys) ? { steps: [HELLO] } : {};
  const more: JsonObject = keys['on_revise'] === undefined ? {} : { of: 'draft' };
  return step({ ...run, ...steps, ...more, ...keys });
}

/** A board with a task that has the given keys. */
const board = (task: JsonObject): JsonObject =>
  step({
    type: 'board',
    members: [{ name: 'alice', role: 'coder', agent: 'writer' }],
    tasks: [{ name: 'lexer', subject: 'Write the lexer' }, task],
  });

const expression = (text: string): JsonObject =>
  file({
    steps: [DRAFT, { id: 'loop', for_each: '$draft.json.parts', steps: [{ id: 'x', run: 'true', when: text }] }],
  });

/** For each place: a file that has another system's word there, and one that has this language's text. */
const FRAMES: Readonly<Record<ForeignPlace, { word(word: string): JsonObject; write(text: string): JsonObject }>> = {
  'key of a file': { word: (word) => file({ [word]: 'x' }), write: (text) => file(mapping(text)) },
  'key of a step': { word: (word) => step({ run: 'true', [word]: 'x' }), write: (text) => wholeStep(mapping(text)) },
  'key of an approval step': { word: (word) => step({ type: 'approval', [word]: 'x' }), write: (text) => wholeStep(mapping(text)) },
  'key of an input step': { word: (word) => step({ type: 'input', [word]: 'x' }), write: (text) => wholeStep(mapping(text)) },
  'key of a parallel step': {
    word: (word) => step({ branches: [HELLO], [word]: 'x' }),
    write: (text) => wholeStep(mapping(text)),
  },
  'key of a task': {
    word: (word) => board({ subject: 'Write it', [word]: 'x' }),
    write: (text) => board({ subject: 'Write it', ...mapping(text) }),
  },
  'type of step': { word: (word) => step({ type: word }), write: (text) => wholeStep(mapping(text)) },
  'key of an arg': {
    word: (word) => file({ args: { a: { [word]: 'x' } } }),
    write: (text) => file({ args: { ...ARGS, a: mapping(text) } }),
  },
  'type of an arg': {
    word: (word) => file({ args: { a: { type: word } } }),
    write: (text) => file({ args: { ...ARGS, a: mapping(text) } }),
  },
  'key of retry': {
    word: (word) => step({ run: 'true', retry: { max: 2, [word]: 1 } }),
    write: (text) => step({ run: 'true', retry: { max: 2, ...mapping(text) } }),
  },
  'key of trigger': {
    word: (word) => file({ trigger: { cron: '@daily', [word]: 'x' } }),
    write: (text) => file({ trigger: { cron: '@daily', ...mapping(text) } }),
  },
  'key of an agent': {
    word: (word) => file({ agents: { a: { role: 'Works.', [word]: 'x' } } }),
    write: (text) => file({ agents: { a: { role: 'Works.', ...mapping(text) } } }),
  },
  action: {
    word: (word) => step({ run: 'true', on_error: word }),
    write: (text) => step({ run: 'true', on_error: text }),
  },
  'name in an expression': { word: (word) => expression(`${word}.x == 1`), write: expression },
  'function in an expression': { word: (word) => expression(`${word}(draft)`), write: expression },
  'operator in an expression': { word: (word) => expression(`draft.ready ${word} draft.tags`), write: expression },
  'true or false': {
    word: (word) => file({ args: { a: { required: word } } }),
    write: (text) => file({ args: { a: { required: exampleValue(text) } } }),
  },
};

function mapping(text: string): JsonObject {
  return load(text) as JsonObject;
}

const rows = Object.entries(FOREIGN_WORDS).flatMap(([place, all]) =>
  all.map((row): [ForeignPlace, string, ForeignRow] => [place as ForeignPlace, row[0], row]),
);

function diagnosticsOf(value: Json): readonly Diagnostic[] {
  return compilePipeline('pipeline.json', JSON.stringify(value), SOURCES).diagnostics;
}

describe('words of other systems', () => {
  it.each(rows)('%s: each of "%s" is answered with what is written here, and stays a mistake', (place, words, row) => {
    for (const word of words.split(' ')) {
      const found = diagnosticsOf(FRAMES[place].word(word)).filter(({ severity }) => severity === 'error');
      expect([word, found.map(({ hint }) => hint)]).toEqual([word, expect.arrayContaining([hintOfRow(row)])]);
    }
  });

  it.each(rows.filter(([, , [, , write]]) => write !== undefined))('%s: what is written for "%s" compiles', (place, _, [, , write]) => {
    expect(errorsOf(FRAMES[place].write(write ?? ''))).toEqual([]);
  });

  it('has each word once in each place, of systems that it lists, with an answer', () => {
    for (const [place, all] of Object.entries(FOREIGN_WORDS)) {
      const words = all.flatMap(([written]: ForeignRow) => written.toLowerCase().split(' '));
      expect([place, words.filter((word, i) => words.indexOf(word) !== i)]).toEqual([place, []]);
      for (const [, of] of all as readonly ForeignRow[]) expect(SYSTEMS).toEqual(expect.arrayContaining(of.split(', ')));
      for (const row of all as readonly ForeignRow[]) expect(hintOfRow(row)).not.toBe('');
    }
  });

  it('answers a word in any case, and no other', () => {
    expect(foreignWordHint('key of a step', 'DEPENDSON')).toContain('depends_on');
    expect(foreignWordHint('key of a step', 'frobnicate')).toBeUndefined();
  });

  it('reports one mistake for a key of another system that says what the step does', () => {
    expect(diagnosticsOf(step({ bash: 'echo hello' })).map(({ code }) => code)).toEqual(['shape.unknown-key']);
  });
});
