import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Options } from '../../cli/command';
import { loadConfiguration } from '../../cli/settings/configuration';
import { keyRingOfSettings } from '../../cli/settings/key-ring';
import { recordsOf } from '../../cli/settings/records';
import { keyTexts } from '../../worker/key-ring';
import { scratchFolder } from '../support/scratch-folder';
import { mistakesOf } from './settings-mistakes';

/** `encryption:` in thermidor.yaml. */
const KEY = '00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff';

let cwd = '';
beforeEach(() => {
  cwd = scratchFolder();
});
afterEach(() => {
  delete process.env['CRYPT_TEST'];
});

function read(text: string) {
  writeFileSync(join(cwd, 'thermidor.yaml'), text);
  return loadConfiguration(new Options({}), { cwd, env: {}, home: cwd, platform: 'linux' });
}

test('keys by id, the one that seals, and what is left out', () => {
  const text = `encryption:
  keys: { k1: secret://env/A, k-2: secret://file/run/k2 }
  use: k-2
  folder: false
  codec: { people: [ann], origins: ["http://localhost:8233"] }
`;
  expect(read(text).encryption.value).toEqual({
    keys: { k1: 'secret://env/A', 'k-2': 'secret://file/run/k2' },
    use: 'k-2',
    folder: false,
    codec: { people: ['ann'], origins: ['http://localhost:8233'] },
  });
  expect(read('').encryption).toEqual({ value: undefined, source: 'default' });
});

test.each<[string, string, string, number]>([
  ['no keys', 'encryption: { use: k1 }', '"encryption" needs both "keys" and "use"', 1],
  ['an empty mapping of keys', 'encryption:\n  keys: {}\n  use: k1', '"encryption.keys" has no key', 2],
  ['nothing that seals', 'encryption: { keys: { k1: secret://env/A } }', '"encryption" needs both "keys" and "use"', 1],
  [
    'an id that is no key',
    'encryption:\n  keys: { k1: secret://env/A }\n  use: k2',
    '"encryption.use" names no key of "encryption.keys"',
    3,
  ],
  ['a key in the file', `encryption:\n  keys:\n    k1: ${KEY}\n  use: k1`, '"encryption.keys.k1" must be a reference', 3],
  ['an id with a dot', 'encryption:\n  keys: { "k.1": secret://env/A }\n  use: k.1', 'the id of a key has letters', 2],
  ['a codec for nobody', 'encryption:\n  keys: { k1: secret://env/A }\n  use: k1\n  codec: {}', '"encryption.codec" needs "people"', 4],
  [
    'an origin with a path',
    'encryption:\n  keys: { k1: secret://env/A }\n  use: k1\n  codec: { people: [a], origins: ["https://x.org/ui"] }',
    '"encryption.codec.origins" must be a list of addresses',
    4,
  ],
])('%s is refused where it is written, and no key is shown', (_, text, says, line) => {
  const [only, ...more] = mistakesOf(text);
  expect([only?.says, only?.place?.line, more]).toEqual([expect.stringContaining(says), line, []]);
  expect(JSON.stringify(only)).not.toContain(KEY);
});

const SETTINGS = 'encryption:\n  keys: { k1: secret://env/CRYPT_TEST }\n  use: k1\n';

test.each([
  ['missing', undefined, /^thermidor\.yaml:2:15: "encryption\.keys\.k1" cannot be resolved: .* has no CRYPT_TEST$/],
  ['short', KEY.slice(2), /^thermidor\.yaml:2:15: "encryption\.keys\.k1" is no key: secret:\/\/env\/CRYPT_TEST must have 32 bytes/],
])('a key that is %s is named where it is written', (_, value, says) => {
  if (value !== undefined) process.env['CRYPT_TEST'] = value;
  const shown = (): unknown => {
    try {
      return keyRingOfSettings(read(SETTINGS));
    } catch (error) {
      return error;
    }
  };
  const problem = shown() as Error;
  // The file is named as the current folder sees it.
  expect(problem.message.replace(/^\S*thermidor/, 'thermidor')).toMatch(says);
  expect(JSON.stringify({ ...problem, message: problem.message })).not.toContain(KEY.slice(2));
  expect(() => recordsOf(read(SETTINGS))).toThrow(problem.message);
});

test('the keys of a worker are masked, and its ring seals with one', () => {
  process.env['CRYPT_TEST'] = `${KEY}\n`;
  const settings = read(SETTINGS);
  expect(keyTexts(settings.encryption.value)).toEqual([KEY]);
  expect(keyRingOfSettings(settings).use).toMatch(/^k1\.[0-9a-f]{8}$/);
});
